import Foundation
import ResolverSpecification
import Testing

/// The specification's references to the documents, and the documents' links to it.
@Suite struct DocumentTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    private static let folder = "Sources/ResolverSpecification/Promises"

    @Test func `each promise has its own description`() {
        let descriptions = Dictionary(grouping: Specification.promises, by: \.description)
        expect(descriptions.filter { $0.value.count > 1 }.keys.sorted(), is: [])
    }

    @Test func `each description is a sentence`() {
        let others = Specification.promises.map(\.description).filter { description in
            let isOpened = description.first?.isUppercase == true || description.first == "`"
            return !isOpened || !description.hasSuffix(".")
        }
        expect(others, is: [])
    }

    @Test(arguments: Set(Specification.promises.map(\.page)).sorted())
    func `the page and the heading that a promise names exist`(place: String) throws {
        let parts = place.split(separator: "#", maxSplits: 1).map(String.init)
        let text = try text(of: "Docs/\(parts[0])")
        if parts.count > 1 { expect(DocumentTests.anchors(of: text).contains(parts[1])) }
    }

    @Test func `each page links to the files whose promises name it, and to no other`() throws {
        let sources = Dictionary(
            uniqueKeysWithValues: try files(in: DocumentTests.folder, ".swift").map {
                ($0, try text(of: "\(DocumentTests.folder)/\($0)"))
            })
        for page in try files(in: "Docs", ".md") {
            let naming = sources.filter { $0.value.contains("\"\(page)\"") || $0.value.contains("\"\(page)#") }
            let links = try text(of: "Docs/\(page)")
                .matches(of: /\]\(\.\.\/Sources\/ResolverSpecification\/Promises\/(\w+\.swift)\)/)
            expect(Set(links.map { String($0.1) }), is: Set(naming.keys), "\(page)")
        }
    }

    private func files(in folder: String, _ ending: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "\(DocumentTests.root.path)/\(folder)")
            .filter { $0.hasSuffix(ending) }
    }

    private func text(of path: String) throws -> String {
        try String(contentsOf: DocumentTests.root.appendingPathComponent(path), encoding: .utf8)
    }

    /// The anchors of a page's headings, as GitHub makes them.
    private static func anchors(of text: String) -> Set<String> {
        var anchors: Set<String> = []
        var counts: [String: Int] = [:]
        var isInCode = false
        for line in text.split(separator: "\n") {
            if line.hasPrefix("```") { isInCode.toggle() }
            guard !isInCode, let heading = line.wholeMatch(of: /#{1,6} +(.+)/)?.1 else { continue }
            let kept = heading.lowercased().filter { $0.isLetter || $0.isNumber || " -_".contains($0) }
            let anchor = kept.replacingOccurrences(of: " ", with: "-")
            let count = counts[anchor, default: 0]
            counts[anchor] = count + 1
            anchors.insert(count == 0 ? anchor : "\(anchor)-\(count)")
        }
        return anchors
    }
}
