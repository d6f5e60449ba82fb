internal import Configuration
internal import Foundation
internal import MienFiles

/// Configuration file: one JSON object whose keys are the option names of `mien serve` without the leading dashes.
enum ConfigurationFile {
  private enum Value: Decodable {
    case flag(Bool)
    case number(Int)
    case text(String)
    case list([String])

    init(from decoder: any Decoder) throws {
      let box = try decoder.singleValueContainer()
      if let flag = try? box.decode(Bool.self) {
        self = .flag(flag)
      } else if let number = try? box.decode(Int.self) {
        self = .number(number)
      } else if let text = try? box.decode(String.self) {
        self = .text(text)
      } else {
        self = .list(try box.decode([String].self))
      }
    }
  }

  /// - Throws: ``OperationError`` for an unreadable file, an unknown key or a value of the wrong type.
  static func provider(_ path: String, _ known: OptionCatalog) throws -> InMemoryProvider {
    let values: [String: Value]
    do {
      values = try JSONDecoder().decode([String: Value].self, from: Data(try InputFile.bytes(path)))
    } catch let error as DecodingError {
      throw OperationError(
        "\(path) is not a JSON object of texts, whole numbers, true, false and lists of texts\(place(error)).")
    }
    var content: [AbsoluteConfigKey: ConfigValue] = [:]
    for (name, value) in values.sorted(by: { $0.key < $1.key }) {
      guard let option = known.options.first(where: { $0.name == name }), name != "config" else {
        throw stray("\(path) has a key \"\(name)\"", name, known.options.map(\.name))
      }
      guard let held = held(value, as: option.kind) else {
        throw OperationError("\(path): \"\(name)\" must be \(words(option.kind)).")
      }
      // Any value may be a secret, so none is ever displayed.
      content[AbsoluteConfigKey([name])] = ConfigValue(held, isSecret: true)
    }
    return InMemoryProvider(name: path, values: content)
  }

  /// Returns the error for an unknown name, with the nearest known name as a suggestion.
  static func stray(_ what: String, _ name: String, _ names: [String]) -> OperationError {
    OperationError(
      what + " that does not exist." + (OptionCatalog.nearest(name, among: names).map { " Did you mean \($0)?" } ?? ""))
  }

  private static func held(_ value: Value, as kind: OptionCatalog.Kind) -> ConfigContent? {
    switch (value, kind) {
    case (.text(let text), .value): .string(text)
    case (.number(let number), .value): .string("\(number)")
    case (.flag(let flag), .flag), (.flag(let flag), .switchable): .bool(flag)
    case (.list(let list), .list): .stringArray(list)
    case (.text(let text), .list): .stringArray([text])
    default: nil
    }
  }

  private static func words(_ kind: OptionCatalog.Kind) -> String {
    switch kind {
    case .value: "a text or a whole number"
    case .list: "a list of texts"
    case .flag, .switchable: "true or false"
    }
  }

  /// Describes the location of the error in the file by its top-level key.
  private static func place(_ error: DecodingError) -> String {
    let path: [any CodingKey] =
      switch error {
      case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
        .dataCorrupted(let context):
        context.codingPath
      @unknown default: []
      }
    return path.first.map { " (at \"\($0.stringValue)\")" } ?? ""
  }
}
