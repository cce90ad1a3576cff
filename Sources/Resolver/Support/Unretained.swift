import CResolverSupport

/// A reference that is not counted. Each use states what keeps the object alive.
@usableFromInline
struct Unretained<Object: AnyObject>: @unchecked Sendable {
    private let reference: Unmanaged<Object>

    @inline(__always)
    init(_ object: Object) { reference = .passUnretained(object) }

    /// Creates a reference from a word that is zero or the address of an `Object`; nil for zero.
    @inline(__always)
    init?(word: UInt64) {
        guard let address = UnsafeRawPointer(bitPattern: UInt(word)) else { return nil }
        reference = .fromOpaque(address)
    }

    /// Creates a reference from a word that is the address of an `Object`.
    @inline(__always)
    init(present word: UInt64) { self = Unretained(word: word).unsafelyUnwrapped }

    /// The address of the object, as an atomic word stores it.
    @inline(__always)
    var word: UInt64 { UInt64(UInt(bitPattern: reference.toOpaque())) }

    /// Calls `body` with the object, without retaining it.
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

extension Unretained: Equatable {
    @usableFromInline
    static func == (lhs: Unretained, rhs: Unretained) -> Bool { lhs.word == rhs.word }
}

extension TaskLocal where Value: AnyObject {
    /// The bound object, or nil where none is bound. The binding holds it while the calling code runs.
    ///
    /// `wrappedValue` returns it retained, which takes twice the time.
    @inline(__always)
    var bound: Unretained<Value>? {
        resolver_task_local_value(Unmanaged.passUnretained(self).toOpaque()).flatMap {
            Unretained(word: UInt64($0.load(as: UInt.self)))
        }
    }
}

extension Task<Void, Never> {
    /// The running task, nil outside of tasks. Its result must be `Void`, and it must not throw.
    static var running: Task? {
        // A task is one reference, which is retained here.
        resolver_task_current().map { unsafeBitCast($0, to: Task.self) }
    }
}

/// An atomic word that holds a strong reference to an object, or nil. Threads read it without a lock.
///
/// A caller that removes an object must keep it alive for threads that have just read it.
struct PublishedReference<Object: AnyObject & Sendable>: Sendable {
    private let word: AtomicWord

    /// Creates a published reference in a word.
    ///
    /// - Parameter word: zero, and used for nothing else.
    @inline(__always)
    init(at word: AtomicWord) { self.word = word }

    @inline(__always)
    var current: Unretained<Object>? { Unretained(word: word.load()) }

    /// The object. The word must hold one.
    @inline(__always)
    var present: Unretained<Object> { current.unsafelyUnwrapped }

    var isEmpty: Bool { word.load() == 0 }

    /// Stores `object` in an empty word.
    func fill(_ object: Object) { word.store(PublishedReference.retained(object)) }

    /// Replaces the object with `object`, or with nil. No other thread writes the word at the same time.
    ///
    /// - Returns: the previous object.
    @discardableResult
    func exchange(_ object: Object?) -> Object? {
        let old = word.load()
        word.store(object.map(PublishedReference.retained) ?? 0)
        return UnsafeRawPointer(bitPattern: UInt(old)).map { Unmanaged<Object>.fromOpaque($0).takeRetainedValue() }
    }

    /// Stores `object`, unless the word holds an object already.
    ///
    /// - Returns: the object that the word holds.
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

extension TaskLocal {
    /// Binds the value while `body` runs on the caller's actor.
    ///
    /// `body` returns nothing, because a generic result would be specialized for each type.
    nonisolated(nonsending) func binding(_ value: Value, _ body: nonisolated(nonsending) () async -> Void) async {
        await binding(value, on: #isolation, body)
    }

    /// Binds the value on `actor`.
    ///
    /// The closure passed to `withValue` stays on an actor only if it uses the actor parameter. A closure in the function above would
    /// leave the caller's actor when it is suspended.
    private func binding(
        _ value: Value, on actor: isolated (any Actor)?, _ body: nonisolated(nonsending) () async -> Void
    ) async {
        await withValue(value) {
            _ = actor
            await body()
        }
    }
}
