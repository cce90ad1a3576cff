import CResolverSupport

/// A retained reference taken from a slot. The caller releases it.
@usableFromInline typealias TakenReference = Unmanaged<AnyObject>

/// A slot from which a kept instance is read without a lock, while another thread may withdraw it.
///
/// The lower 48 bits of the word are the object's pointer. The upper 16 bits count references that the slot owns in advance
/// (*credits*). `take` subtracts one credit, and the same atomic operation returns the pointer: the credit is the caller's retain,
/// and there is no moment between loading the pointer and retaining the object. `invalidate` exchanges the word for zero, and
/// returns the credits that were not taken.
///
/// - A subtraction from an empty word changes only the upper bits, which mean nothing while the pointer is zero.
/// - A reader that finds few credits adds more, while the reference that it took keeps the object alive. At `low` credits, 4096
///   threads would have to stand between their subtraction and their check of the result to exhaust the slot.
/// - A pointer of more than 48 bits (a tagged pointer, memory tagging) is not published. The cell then serves the instance,
///   under its lock.
struct FastSlot: Sendable, Equatable {
    let word: AtomicWord

    static var one: UInt64 { 1 << 48 }
    static var pointer: UInt64 { one - 1 }
    static var low: UInt64 { 4096 }
    private static var stock: UInt64 { 32768 }
    /// The reference count from which an object is not published.
    ///
    /// The runtime's limit is about 2^30. An object with this many references is in thousands of slots.
    private static var most: Int { 1 << 28 }

    /// Returns the kept object, retained, or nil if the slot is empty.
    @inline(__always)
    func take() -> TakenReference? {
        if isEmpty { return nil }
        let found = word.subtract(FastSlot.one)
        guard let object = UnsafeRawPointer(bitPattern: UInt(found & FastSlot.pointer)) else { return nil }
        return found >> 48 > FastSlot.low ? Unmanaged.fromOpaque(object) : refill(found & FastSlot.pointer)
    }

    @inline(__always)
    var isEmpty: Bool { word.load() & FastSlot.pointer == 0 }

    /// Adds credits if the slot still holds `pointer` and no other reader has added any.
    ///
    /// The caller owns a reference to the object. The function returns that reference.
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

    /// Publishes `object`: from now on `take` returns it.
    ///
    /// The caller holds the lock of the slot's cell, or of the directory if the entry has no cell. The slot is empty.
    ///
    /// - Returns: false if the address does not fit, Objective-C counts the references, the object has too many, or not all code may have
    ///   it. The cell then serves the instance, under its lock.
    func publish(_ object: AnyObject) -> Bool {
        if type(of: object) == IsolatedInstance.self { return false }
        let address = Unmanaged.passUnretained(object).toOpaque()
        let pointer = UInt64(UInt(bitPattern: address))
        guard pointer & ~FastSlot.pointer == 0, resolver_reference_count(address) < FastSlot.most else {
            return false
        }
        resolver_retain(address, UInt32(FastSlot.stock))
        word.store(pointer | FastSlot.stock * FastSlot.one)
        return true
    }

    /// Empties the slot. The caller calls `release` on the result outside every lock.
    func invalidate() -> Invalidated? {
        let found = word.exchange(0)
        guard let object = UnsafeMutableRawPointer(bitPattern: UInt(found & FastSlot.pointer)) else { return nil }
        return Invalidated(object: object, credits: UInt32(found >> 48))
    }

    /// The credits that were not taken. Releasing the last one may run the object's `deinit`.
    struct Invalidated {
        fileprivate let object: UnsafeMutableRawPointer
        fileprivate let credits: UInt32

        func release() { if credits > 0 { resolver_release(object, credits) } }

        /// Releases all credits but one, and returns the object with that one. A slot that holds an object has credits.
        func takeObject() -> AnyObject {
            if credits > 1 { resolver_release(object, credits - 1) }
            return Unmanaged<AnyObject>.fromOpaque(object).takeRetainedValue()
        }
    }
}

/// The slots that serve hits for one cell. Most cells have one slot, which needs no extra memory.
struct FastSlots {
    private var first: FastSlot?
    /// Nil for none: an empty array costs more to copy.
    private var others: [FastSlot]?

    func contains(_ slot: FastSlot) -> Bool { first == slot || others?.contains(slot) ?? false }

    mutating func add(_ slot: FastSlot) {
        if first == nil { first = slot } else if others == nil { others = [slot] } else { others?.append(slot) }
    }

    mutating func remove(_ slot: FastSlot) {
        if first == slot { first = others?.popLast() } else { others?.removeAll { $0 == slot } }
    }

    /// Empties all slots. The caller calls `release` on the result outside every lock.
    mutating func invalidate() -> Invalidated {
        defer { self = FastSlots() }
        return Invalidated(first: first?.invalidate(), others: others?.compactMap { $0.invalidate() })
    }

    /// The credits that were not taken from the slots.
    struct Invalidated {
        fileprivate var first: FastSlot.Invalidated?
        fileprivate var others: [FastSlot.Invalidated]?

        func release() {
            first?.release()
            if let others { for other in others { other.release() } }
        }
    }
}

/// A kept instance with a conformance that belongs to an actor. No slot holds it, because each call checks whether it may have the
/// instance.
final class IsolatedInstance {
    /// The box of the service.
    let box: AnyObject

    init(_ box: AnyObject) { self.box = box }
}
