import Foundation

/// Command line arguments `WORD --name value …`.
struct Arguments: Sendable {
  let mode: String
  private let values: [String: String]

  init(_ words: [String]) throws {
    var words = words.dropFirst()
    mode = words.popFirst() ?? ""
    var values: [String: String] = [:]
    while let name = words.popFirst() {
      guard name.hasPrefix("--"), let value = words.popFirst() else { throw LoadError("\(name): write --name value") }
      values[String(name.dropFirst(2))] = value
    }
    self.values = values
  }

  func text(_ name: String) throws -> String {
    guard let value = values[name] else { throw LoadError("--\(name) is required") }
    return value
  }

  func optional(_ name: String) -> String? { values[name] }

  func number(_ name: String, _ fallback: Double) throws -> Double {
    guard let text = values[name] else { return fallback }
    guard let value = Double(text), value > 0 else { throw LoadError("--\(name) must be greater than 0") }
    return value
  }

  func list(_ name: String, _ fallback: String) throws -> [Int] {
    try (values[name] ?? fallback).split(separator: ",").map { part in
      guard let value = Int(part), (1...256).contains(value) else { throw LoadError("--\(name): 1 to 256 each") }
      return value
    }
  }

  /// Process whose CPU time is reported, if specified.
  var process: ProcessTime? { values["pid"].flatMap { Int($0) }.map(ProcessTime.init) }
}
