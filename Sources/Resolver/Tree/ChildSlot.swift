/// The place of one child scope: made when it is asked for, by exactly one thread; others that ask meanwhile wait for it
/// and for nothing else.
///
/// It never holds its owner: each call passes what makes the child.
struct ChildSlot<Child: AnyObject>: Sendable {
    let cell = InstanceCell()
    let strength: InstanceCell.ReferenceStrength
    /// Where the slot stands in the user's code.
    let location: SourceLocation

    /// The child, if it is there; never makes one.
    var current: Child? {
        guard let object = cell.kept else { return nil }
        return ChildSlot.cast(object)
    }

    /// The child; `make` is called by the first to ask.
    @inline(never)
    func child(make: () -> Child) -> Child {
        do throws(ResolutionError) {
            return ChildSlot.cast(try cell.object(of: .child(Child.self, in: cell), strength: strength, make: make))
        } catch {
            fatalError(Messages.childNeedsItself(error), file: location.fileID, line: location.line)
        }
    }

    /// Forgets the child.
    func release() { cell.empty() }

    /// Nothing but what `make` returned is ever in the cell.
    private static func cast(_ object: AnyObject) -> Child { unsafeDowncast(object, to: Child.self) }
}
