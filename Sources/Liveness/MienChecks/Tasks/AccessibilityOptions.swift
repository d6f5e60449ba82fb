internal import MienPlatform
internal import MienLiveness

/// The abilities reported by a person, by their API names. Stored with the check as plain names.
public struct AccessibilityOptions: Codable, Hashable, Sendable {
  private static let known: [(name: String, ability: AccessibilityProfile)] = [
    ("neck", .neck), ("eyelids", .eyelids), ("mouth", .mouth), ("sight", .sight),
  ]

  private let names: [String]

  /// - Throws: ``ServiceError`` with code `badValue` for an unknown or repeated name.
  public init(_ names: [String]) throws {
    let known = Self.known.map(\.name)
    guard names.allSatisfy(known.contains), Set(names).count == names.count else {
      throw ServiceError(.badValue, "\"abilities\" holds each of \(known.joined(separator: ", ")) at most once.")
    }
    self.names = names
  }

  /// `true` if the person can perform every task.
  var isEverything: Bool { values == .all }

  var values: AccessibilityProfile {
    Self.known.reduce(into: []) { if names.contains($1.name) { $0.formUnion($1.ability) } }
  }
}

extension AccessibilityOptions: CustomStringConvertible, CustomReflectable {
  public var description: String { "AccessibilityOptions(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
