#if os(Linux)
    import Foundation
    import Testing

    // The sources are the same everywhere; regular expressions need newer systems than the package does.

    /// The order of the rooms under Sources/Resolver, and what may live where. Reads the sources as text.
    @Suite(.disabled(if: Sanitizer.current != nil, "the texts are the same, and reading them takes minutes"))
    struct HouseTests {
        static let rooms = [
            "Support", "Keys", "Errors", "Registration", "Scopes", "Contexts", "Resolution", "Resolver", "Injection",
            "Tree", "Apple",
        ]

        /// What a room may use of the rooms below it.
        static let upward: [String: Set<String>] = [
            // The class that names and errors are nested in or speak of.
            "Keys": ["Resolver"],
            "Errors": ["Resolver"],
            // A registration carries its scope and the cell it is served from, and is made in a cycle.
            "Registration": [
                "Resolver", "ResolutionCycle", "ResolverScope", "ResolverScopeType", "ResolverScopeCache", "AliasScope",
                "InstanceStore", "InstanceCell", "CellDirectory",
                "ResolutionStep", "TaskResolutionCycle", "TaskFrame", "ScopeContext", "ScopeOverrides",
                "PerContextScope",
                "ScopeHandle", "Surroundings",
            ],
            // A scope is handed a registration and a resolver; who waits says what for.
            "Scopes": [
                "Resolver", "ResolutionCycle", "ResolutionStep", "TaskFrame", "DependencyPath", "AsyncPass",
                "ScopeFrame",
                "ScopeContext", "PerContextScope", "Surroundings",
            ],
            // A scope has registrations of its own; what is being made decides what may be seen.
            "Contexts": [
                "Resolver", "ResolutionStep", "Resolution", "ResolutionCycle", "TaskFrame", "LiveResolvers",
                "SlowPathReasons",
            ],
            "Resolution": ["Resolver", "SlowPathReasons", "Bootstrap", "LiveResolvers"],
        ]

        struct File {
            let room: String
            let name: String
            let text: String
            /// Without comments and string literals.
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

        @Test func `all files are there`() {
            #expect(HouseTests.files.count > 50)
            #expect(Set(HouseTests.files.map(\.room)) == Set(HouseTests.rooms))
        }

        @Test func `a room uses only itself the rooms above it and what is written down`() throws {
            var home: [String: String] = [:]
            for file in HouseTests.files {
                let declaration =
                    /(?m)^(?:(?:public|open|final|@\w+)\s+)*(?:class|struct|enum|protocol|typealias)\s+(\w+)/
                for match in file.code.matches(of: declaration) { home[String(match.1)] = file.room }
            }
            for file in HouseTests.files {
                let words = Set(file.code.matches(of: /\b[A-Z]\w+/).map { String($0.0) })
                for word in words {
                    guard let room = home[word], let there = HouseTests.rooms.firstIndex(of: room),
                        let here = HouseTests.rooms.firstIndex(of: file.room), there > here
                    else { continue }
                    #expect(
                        HouseTests.upward[file.room]?.contains(word) == true,
                        "\(file.room)/\(file.name) uses \(word) of \(room), a room below it")
                }
            }
        }

        @Test func `the architecture explains the unsafe code of every file that has any`() throws {
            let words =
                /unsafe(BitCast|Downcast|lyUnwrapped|Address)|Unmanaged|_withUnsafe|nonisolated\(unsafe\)|Unsafe\w*Pointer|assumingMemoryBound/
            let documents = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent().appendingPathComponent("Docs")
            let text = try String(contentsOf: documents.appendingPathComponent("Architecture.md"), encoding: .utf8)
            let table = try #require(text.components(separatedBy: "## Unsafe code").last)
            let explained = Set(table.matches(of: /`(\w+\/[\w+]+)\.swift`/).map { String($0.1) })
            let unsafe = HouseTests.files.filter { $0.code.contains(words) }
            let unchecked = HouseTests.files.filter { $0.code.contains("@unchecked Sendable") }
            #expect(explained == Set((unsafe + unchecked).map { "\($0.room)/\($0.name)" }))
            // No more than there are: what is unsafe is gathered in types that can be checked one by one.
            #expect(unsafe.count <= 22)
        }

        @Test func `a file has one job and is not long`() {
            for file in HouseTests.files {
                let lines = file.text.split(separator: "\n", omittingEmptySubsequences: false).count
                #expect(lines <= 300, "\(file.room)/\(file.name) has \(lines) lines")
            }
        }

        @Test func `nothing in the library depends on the build configuration`() {
            for file in HouseTests.files {
                #expect(!file.code.contains("DEBUG"), "\(file.room)/\(file.name) asks for the configuration")
                #expect(!file.code.contains("import Foundation"), "\(file.room)/\(file.name) imports Foundation")
            }
        }
    }
#endif
