#if os(Linux)
    import Foundation
    import Testing

    // The sources are the same on every system, and regular expressions need newer Apple systems than the package.

    /// The layers of the folders (rooms) under Sources/Resolver, and the placement of unsafe code. The tests read the
    /// sources as text.
    @Suite(.disabled(if: Sanitizer.current != nil, "the texts are the same, and reading them takes minutes"))
    struct ArchitectureTests {
        /// The layers, lowest first. A room uses its own layer and those below. The third layer is one engine: a
        /// registration has a scope and a cell, a scope receives the registration and calls back to create, and the
        /// cycle records both.
        static let floors = [
            ["Support"],
            ["Keys", "Errors"],
            ["Instances", "Registration", "Scopes", "Contexts", "Resolution"],
            ["Resolver"],
            ["Injection", "Tree", "Apple"],
        ]
        static var rooms: [String] { floors.flatMap { $0 } }

        /// The class that names and errors are nested in, and that is a parameter everywhere.
        static let everywhere = "Resolver"

        /// The types of its layer that the room Instances may use: its own tests compile the room with stand-ins for
        /// these.
        static let knownToInstances: Set<String> = [
            "AnyResolverRegistration", "InstanceStore", "CreationTask", "ResolutionCycle", "ResolutionStep",
            "DependencyPath",
            "TaskFrame",
            "ExpiryTimer", "Moment", "UncheckedSendable",
        ]

        struct File {
            let room: String
            let name: String
            let text: String
            /// The text without comments and string literals.
            let code: String
        }

        static let files: [File] = {
            let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent().appendingPathComponent("Sources/Resolver")
            return rooms.flatMap { room -> [File] in
                let folder = sources.appendingPathComponent(room)
                let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
                return (names ?? []).sorted().compactMap { name in
                    guard let text = try? String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
                    else {
                        return nil
                    }
                    let code = text.replacing(/\/\/.*/, with: "").replacing(/"(\\.|[^"\\])*"/, with: "")
                    return File(room: room, name: String(name.dropLast(".swift".count)), text: text, code: code)
                }
            }
        }()

        @Test func `the tests read the files of every room`() {
            #expect(ArchitectureTests.files.count > 50)
            #expect(Set(ArchitectureTests.files.map(\.room)) == Set(ArchitectureTests.rooms))
        }

        /// The room of each top-level declaration.
        static let homes: [String: String] = {
            var home: [String: String] = [:]
            for file in files {
                let declaration =
                    /(?m)^(?:(?:public|open|package|final|@\w+)\s+)*(?:class|struct|enum|protocol|typealias)\s+(\w+)/
                for match in file.code.matches(of: declaration) { home[String(match.1)] = file.room }
            }
            return home
        }()

        static func words(of file: File) -> Set<String> {
            Set(file.code.matches(of: /\b[A-Z]\w+/).map { String($0.0) })
        }

        @Test func `a room uses only its own floor and those below it`() throws {
            func floor(_ room: String) throws -> Int {
                try #require(ArchitectureTests.floors.firstIndex { $0.contains(room) })
            }
            for file in ArchitectureTests.files {
                for word in ArchitectureTests.words(of: file) where word != ArchitectureTests.everywhere {
                    guard let room = ArchitectureTests.homes[word] else { continue }
                    #expect(
                        try floor(room) <= floor(file.room),
                        "\(file.room)/\(file.name) uses \(word) of \(room), a floor above it")
                }
            }
        }

        @Test func `the room Instances uses only a listed set of types`() {
            for file in ArchitectureTests.files where file.room == "Instances" {
                for word in ArchitectureTests.words(of: file) {
                    guard let room = ArchitectureTests.homes[word],
                        !["Support", "Keys", "Errors", "Instances"].contains(room)
                    else { continue }
                    #expect(ArchitectureTests.knownToInstances.contains(word), "\(file.name) uses \(word) of \(room)")
                }
            }
        }

        @Test func `the architecture page explains the unsafe code of every file that has any`() throws {
            let words =
                /unsafe(BitCast|Downcast|lyUnwrapped|Address)|Unmanaged|_withUnsafe|nonisolated\(unsafe\)|Unsafe\w*Pointer|Unsafe\w*Continuation|assumingMemoryBound/
            let documents = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent().appendingPathComponent("Docs")
            let text = try String(contentsOf: documents.appendingPathComponent("Architecture.md"), encoding: .utf8)
            let table = try #require(text.components(separatedBy: "## Unsafe code").last)
            let explained = Set(table.matches(of: /`(\w+\/[\w+]+)\.swift`/).map { String($0.1) })
            let unsafe = ArchitectureTests.files.filter { $0.code.contains(words) }
            let unchecked = ArchitectureTests.files.filter { $0.code.contains("@unchecked Sendable") }
            #expect(explained == Set((unsafe + unchecked).map { "\($0.room)/\($0.name)" }))
            // The limit keeps unsafe code in few types that can be reviewed one by one.
            #expect(unsafe.count <= 12)
        }

        @Test func `no source file is longer than three hundred lines`() {
            for file in ArchitectureTests.files {
                let lines = file.text.split(separator: "\n", omittingEmptySubsequences: false).count
                #expect(lines <= 300, "\(file.room)/\(file.name) has \(lines) lines")
            }
        }

        @Test func `no source file depends on DEBUG or imports Foundation`() {
            for file in ArchitectureTests.files {
                #expect(!file.code.contains("DEBUG"), "\(file.room)/\(file.name) asks for the configuration")
                #expect(!file.code.contains("import Foundation"), "\(file.room)/\(file.name) imports Foundation")
            }
        }
    }
#endif
