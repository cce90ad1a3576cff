extension Unmanaged {
    /// The address, as an atomic word stores it.
    @inline(__always)
    var word: UInt64 { UInt64(UInt(bitPattern: toOpaque())) }

    /// What an atomic word that is zero or an address of an `Instance` refers to.
    @inline(__always)
    static func fromWord(_ word: UInt64) -> Unmanaged? {
        UnsafeRawPointer(bitPattern: UInt(word)).map { Unmanaged.fromOpaque($0) }
    }
}
