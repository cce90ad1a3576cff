#if os(Linux)
    import Foundation
    import Testing

    // The sources are the same on every system, and regular expressions need newer Apple systems than the package.

    /// The layers of the folders under Sources/Resolver, and the placement of unsafe code. The tests read the
    /// sources as text.
    @Suite(.disabled(if: Sanitizer.current != nil, "the texts are the same, and reading them takes minutes"))
    struct ArchitectureTests {
        /// The layers, lowest first. A folder uses its own layer and those below. The third layer is one engine: a
        /// registration has a scope and a cell, a scope receives the registration and calls back to create, and the
        /// cycle records both.
        static let layers = [
            ["Support"],
            ["Keys", "Errors"],
            ["Instances", "Registration", "Scopes", "Contexts", "Resolution"],
            ["Resolver"],
            ["Injection", "Tree", "Apple"],
        ]
        static var folders: [String] { layers.flatMap { $0 } }

        /// The class that names and errors are nested in, and that is a parameter everywhere.
        static let everywhere = "Resolver"

        /// The types of its layer that the folder Instances may use: its own tests compile the folder with stand-ins for
        /// these.
        static let knownToInstances: Set<String> = [
            "AnyResolverRegistration", "InstanceStore", "CreationTask", "ResolutionCycle", "ResolutionStep",
            "DependencyPath",
            "TaskFrame",
            "ExpiryTimer", "Moment", "UncheckedSendable",
        ]

        struct File {
            let folder: String, name: String, text: String
            /// The text without comments and string literals.
            let code: String
        }

        static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()

        static let files = folders.flatMap { folder -> [File] in
            let directory = package.appendingPathComponent("Sources/Resolver/\(folder)")
            let names = try? FileManager.default.contentsOfDirectory(atPath: directory.path)
            return (names ?? []).sorted().compactMap { name in
                guard let text = try? String(contentsOf: directory.appendingPathComponent(name), encoding: .utf8)
                else { return nil }
                let code = text.replacing(/\/\/.*/, with: "").replacing(/"(\\.|[^"\\])*"/, with: "")
                return File(folder: folder, name: String(name.dropLast(".swift".count)), text: text, code: code)
            }
        }

        @Test func `the tests read the files of every folder`() {
            expect(ArchitectureTests.files.count > 50)
            expect(Set(ArchitectureTests.files.map(\.folder)), is: Set(ArchitectureTests.folders))
        }

        /// The folder of each top-level declaration.
        static let homes: [String: String] = {
            var home: [String: String] = [:]
            for file in files {
                let declaration =
                    /(?m)^(?:(?:public|open|package|final|@\w+)\s+)*(?:class|struct|enum|protocol|typealias)\s+(\w+)/
                for match in file.code.matches(of: declaration) { home[String(match.1)] = file.folder }
            }
            return home
        }()

        static func words(of file: File) -> Set<String> {
            Set(file.code.matches(of: /\b[A-Z]\w+/).map { String($0.0) })
        }

        @Test func `a folder uses only its own layer and those below it`() throws {
            func layer(_ folder: String) throws -> Int {
                try #require(ArchitectureTests.layers.firstIndex { $0.contains(folder) })
            }
            for file in ArchitectureTests.files {
                for word in ArchitectureTests.words(of: file) where word != ArchitectureTests.everywhere {
                    guard let folder = ArchitectureTests.homes[word] else { continue }
                    try expect(
                        layer(folder) <= layer(file.folder),
                        "\(file.folder)/\(file.name) uses \(word) of \(folder), a layer above it")
                }
            }
        }

        @Test func `the folder Instances uses only a listed set of types`() {
            for file in ArchitectureTests.files where file.folder == "Instances" {
                for word in ArchitectureTests.words(of: file) {
                    guard let folder = ArchitectureTests.homes[word],
                        !["Support", "Keys", "Errors", "Instances"].contains(folder)
                    else { continue }
                    expect(ArchitectureTests.knownToInstances.contains(word), "\(file.name) uses \(word) of \(folder)")
                }
            }
        }

        @Test func `the architecture page explains the unsafe code of every file that has any`() throws {
            let words =
                /unsafe(BitCast|Downcast|lyUnwrapped|Address)|Unmanaged|_withUnsafe|nonisolated\(unsafe\)|Unsafe\w*Pointer|Unsafe\w*Continuation|assumingMemoryBound/
            let page = ArchitectureTests.package.appendingPathComponent("Docs/Architecture.md")
            let text = try String(contentsOf: page, encoding: .utf8)
            let table = try #require(text.components(separatedBy: "## Unsafe code").last)
            let explained = Set(table.matches(of: /`(\w+\/[\w+]+)\.swift`/).map { String($0.1) })
            let unsafe = ArchitectureTests.files.filter { $0.code.contains(words) }
            let unchecked = ArchitectureTests.files.filter { $0.code.contains("@unchecked Sendable") }
            expect(explained, is: Set((unsafe + unchecked).map { "\($0.folder)/\($0.name)" }))
            // The limit keeps unsafe code in few types that can be reviewed one by one.
            expect(unsafe.count <= 12)
        }

        @Test func `no source file is longer than three hundred lines, depends on DEBUG or imports Foundation`() {
            for file in ArchitectureTests.files {
                let lines = file.text.split(separator: "\n", omittingEmptySubsequences: false).count
                expect(lines <= 300, "\(file.folder)/\(file.name) has \(lines) lines")
                expect(!file.code.contains("DEBUG"), "\(file.folder)/\(file.name) asks for the configuration")
                expect(!file.code.contains("import Foundation"), "\(file.folder)/\(file.name) imports Foundation")
            }
        }
    }
#endif
