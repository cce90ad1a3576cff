/// A reference that is not counted. Something else keeps the object alive: what, stands where the reference is made.
@usableFromInline
struct Unretained<Object: AnyObject>: @unchecked Sendable {
    private let reference: Unmanaged<Object>

    @inline(__always)
    init(_ object: Object) {
        reference = .passUnretained(object)
    }

    /// What a word refers to that is zero or an address of an `Object`.
    @inline(__always)
    init?(word: UInt64) {
        guard let address = UnsafeRawPointer(bitPattern: UInt(word)) else { return nil }
        reference = .fromOpaque(address)
    }

    /// What a word refers to that is an address of an `Object`.
    @inline(__always)
    init(present word: UInt64) {
        self = Unretained(word: word).unsafelyUnwrapped
    }

    /// The address, as an atomic word stores it.
    @inline(__always)
    var word: UInt64 { UInt64(UInt(bitPattern: reference.toOpaque())) }

    /// Calls `body` with the object, which is not retained for that.
    @inline(__always)
    func use<Result>(_ body: (Object) throws -> Result) rethrows -> Result {
        try reference._withUnsafeGuaranteedRef(body)
    }

    /// The object, retained.
    @inline(__always)
    var object: Object { reference.takeUnretainedValue() }

    @inline(__always)
    func refers(to object: Object) -> Bool { reference.toOpaque() == Unmanaged.passUnretained(object).toOpaque() }
}

extension Unretained: Hashable {
    @usableFromInline
    static func == (lhs: Unretained, rhs: Unretained) -> Bool { lhs.word == rhs.word }

    @usableFromInline
    func hash(into hasher: inout Hasher) { hasher.combine(word) }
}

/// An atomic word that holds on to an object, or to none: what is put in can be read at once, without a lock.
///
/// Who takes an object out sees to it that it outlives those who have read it a moment ago.
struct PublishedReference<Object: AnyObject & Sendable>: Sendable {
    private let word: AtomicWord

    /// - Parameter word: zero, and used for nothing else.
    @inline(__always)
    init(at word: AtomicWord) {
        self.word = word
    }

    @inline(__always)
    var current: Unretained<Object>? { Unretained(word: word.load()) }

    /// The object, where there always is one.
    @inline(__always)
    var present: Unretained<Object> { current.unsafelyUnwrapped }

    var isEmpty: Bool { word.load() == 0 }

    /// Puts `object` in where nothing was.
    func fill(_ object: Object) {
        word.store(PublishedReference.retained(object))
    }

    /// Puts `object` in, or nothing.
    ///
    /// - Returns: what was there.
    @discardableResult
    func exchange(_ object: Object?) -> Object? {
        UnsafeRawPointer(bitPattern: UInt(word.exchange(object.map(PublishedReference.retained) ?? 0))).map {
            Unmanaged<Object>.fromOpaque($0).takeRetainedValue()
        }
    }

    /// Puts `object` in, unless there is one.
    ///
    /// - Returns: the one that is there.
    func setIfEmpty(_ object: Object) -> Object {
        let retained = PublishedReference.retained(object)
        var found: UInt64 = 0
        if word.replace(&found, by: retained) { return object }
        Unmanaged.passUnretained(object).release()
        return Unretained(word: found)?.object ?? object
    }

    private static func retained(_ object: Object) -> UInt64 {
        UInt64(UInt(bitPattern: Unmanaged.passRetained(object).toOpaque()))
    }
}
