import CResolverSupport

/// A reference that a slot has handed over: who takes it releases it.
@usableFromInline typealias TakenReference = Unmanaged<AnyObject>

/// Where a kept instance is read in a few instructions, without a lock, while another thread may be taking it away.
///
/// The difficulty of such a read is the moment between loading the pointer and retaining the object. Here there is no
/// such moment: the slot owns a stock of references in advance (*credits*) and counts them in the upper 16 bits of the
/// word whose lower 48 bits are the pointer. Taking one is a single atomic subtraction, which answers the pointer and
/// hands over one of its references in the same step; it stands where a `static var` read has its retain. Withdrawing
/// is an exchange with zero: it answers how many credits were not taken, and these are returned at once.
///
/// - A subtraction on an empty word disturbs only the upper bits, which mean nothing while the pointer is zero.
/// - A reader that sees the stock run low adds to it, holding the reference it has just taken. `low` credits are left
///   for the threads that are between their subtraction and their look at the result; 4096 threads would have to stand
///   in these few instructions at once to run it dry.
/// - A pointer that needs more than 48 bits (a tagged pointer, memory tagging) is not put into a slot: `publish` says
///   no, and such a service is served from its cell, under the cell's lock.
struct FastSlot: Sendable, Equatable {
    let word: AtomicWord

    static var one: UInt64 { 1 << 48 }
    static var pointer: UInt64 { one - 1 }
    static var low: UInt64 { 4096 }
    private static var stock: UInt64 { 32768 }
    /// An object has a limit of about 2^30 references. One that has so many already is in thousands of slots.
    private static var most: Int { 1 << 28 }

    /// The kept object, retained, or nil.
    @inline(__always)
    func take() -> TakenReference? {
        guard word.load() & FastSlot.pointer != 0 else { return nil }
        let found = word.subtract(FastSlot.one)
        guard let object = UnsafeRawPointer(bitPattern: UInt(found & FastSlot.pointer)) else { return nil }
        return found >> 48 > FastSlot.low ? Unmanaged.fromOpaque(object) : refill(found & FastSlot.pointer)
    }

    /// Adds credits if `pointer` is still here and no other reader has. The caller holds a reference to the object, and gets it
    /// back.
    @inline(never)
    private func refill(_ pointer: UInt64) -> TakenReference? {
        guard let object = UnsafeMutableRawPointer(bitPattern: UInt(pointer)) else { return nil }
        let taken = TakenReference.fromOpaque(object)
        resolver_retain(object, UInt32(FastSlot.stock))
        var found = word.load()
        while found & FastSlot.pointer == pointer, found >> 48 <= FastSlot.low {
            if word.replace(&found, by: found + FastSlot.stock * FastSlot.one) { return taken }
        }
        resolver_release(object, UInt32(FastSlot.stock))
        return taken
    }

    /// Makes `object` what `take` answers. False if its address does not fit, if Objective-C counts its references, or if there are too
    /// many of them: it is then served from its cell, under the cell's lock.
    ///
    /// The caller holds the lock of the cell this slot belongs to, and the slot is empty.
    func publish(_ object: AnyObject) -> Bool {
        let address = Unmanaged.passUnretained(object).toOpaque()
        let pointer = UInt64(UInt(bitPattern: address))
        guard pointer & ~FastSlot.pointer == 0, resolver_reference_count(address) < FastSlot.most else {
            return false
        }
        resolver_retain(address, UInt32(FastSlot.stock))
        word.store(pointer | FastSlot.stock * FastSlot.one)
        return true
    }

    /// Empties the slot. The references it owned are returned when the answer is released, outside every lock.
    func invalidate() -> Invalidated? {
        let found = word.exchange(0)
        guard let object = UnsafeMutableRawPointer(bitPattern: UInt(found & FastSlot.pointer)) else { return nil }
        return Invalidated(object: object, credits: UInt32(found >> 48))
    }

    /// Credits that were not taken. Returning the last one may run the object's `deinit`.
    struct Invalidated {
        fileprivate let object: UnsafeMutableRawPointer
        fileprivate let credits: UInt32

        func release() {
            if credits > 0 { resolver_release(object, credits) }
        }
    }
}

/// The slots that answer hits for one cell. Nearly always it is one, which needs no memory besides.
struct FastSlots {
    private var first: FastSlot?
    /// nil for none, which costs nothing to copy.
    private var others: [FastSlot]?

    func contains(_ slot: FastSlot) -> Bool {
        first == slot || others?.contains(slot) ?? false
    }

    mutating func add(_ slot: FastSlot) {
        if first == nil { first = slot } else { others = (others ?? []) + [slot] }
    }

    mutating func remove(_ slot: FastSlot) {
        if first == slot { first = others?.popLast() } else { others?.removeAll { $0 == slot } }
    }

    /// Empties them all. The references that they owned are returned when the answer is released, outside every lock.
    mutating func invalidate() -> Invalidated {
        defer { self = FastSlots() }
        return Invalidated(first: first?.invalidate(), others: others?.compactMap { $0.invalidate() })
    }

    /// Credits that were not taken.
    struct Invalidated {
        fileprivate var first: FastSlot.Invalidated?
        fileprivate var others: [FastSlot.Invalidated]?

        func release() {
            first?.release()
            if let others { for other in others { other.release() } }
        }
    }
}
