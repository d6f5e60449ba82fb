internal import MienLiveness

/// What a person says they can do, by the names that the API has for it. Plain names: they are kept with the check.
public struct AccessibilityOptions: Codable, Hashable, Sendable {
  private static let known: [(name: String, ability: AccessibilityProfile)] = [
    ("neck", .neck), ("eyelids", .eyelids), ("mouth", .mouth), ("sight", .sight),
  ]

  private let names: [String]

  /// - Throws: ``ServiceError`` with code `badValue` for a name that there is not, or one given twice.
  public init(_ names: [String]) throws {
    let known = Self.known.map(\.name)
    guard names.allSatisfy(known.contains), Set(names).count == names.count else {
      throw ServiceError(.badValue, "\"abilities\" holds each of \(known.joined(separator: ", ")) at most once.")
    }
    self.names = names
  }

  /// True when there is nothing that tasks ask for and this person cannot do.
  var isEverything: Bool { values == .all }

  var values: AccessibilityProfile {
    Self.known.reduce(into: []) { if names.contains($1.name) { $0.formUnion($1.ability) } }
  }
}

extension AccessibilityOptions: CustomStringConvertible, CustomReflectable {
  public var description: String { "PersonAbilities(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
