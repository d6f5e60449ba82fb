import ArgumentParser
import Configuration
import Foundation

/// What `mien serve` is told: by a file, over it by the environment, over both by its arguments.
struct LayeredConfiguration {
  /// Variables that are not settings: where parts lie, what examples call a key, and what the project's own tools and tests
  /// are told.
  private static let others = [
    "MIEN_PARTS", "MIEN_API_KEY", "MIEN_SERVER_HOST", "MIEN_SHARED", "MIEN_PROGRAM", "MIEN_OBSERVATIONS",
    "MIEN_PEER_PYTHON", "MIEN_RECORD", "MIEN_DAY_CHECKS",
  ]
  private static let othersBeginWith = ["MIEN_TEST_", "MIEN_FUZZ_", "MIEN_BENCHMARK"]

  private let known: OptionCatalog
  private let reader: ConfigReader
  private let environment: [String: String]

  /// - Parameters:
  ///   - file: nil is none.
  ///   - environment: only variables that begin with `MIEN_` are looked at.
  /// - Throws: ``CommandError`` for a key or a variable that does not exist, and for values that cannot be taken.
  init(_ known: OptionCatalog, file: String?, environment: [String: String]) throws {
    self.known = known
    let ours = environment.filter { $0.key.hasPrefix("MIEN_") }
    let names = known.options.map(\.variable)
    for name in ours.keys.sorted() where !names.contains(name) && !Self.others.contains(name) {
      guard !Self.othersBeginWith.contains(where: { name.hasPrefix($0) }) else { continue }
      throw ConfigurationFile.stray("The environment has a variable \(name)", name, names + Self.others)
    }
    self.environment = ours
    let variables = EnvironmentVariablesProvider(environmentVariables: ours).prefixKeys(with: "mien")
    let path = file ?? ours["MIEN_CONFIG"]
    let files: [any ConfigProvider] = try path.map { [try ConfigurationFile.provider($0, known)] } ?? []
    reader = ConfigReader(providers: [variables] + files)
  }

  /// The arguments with those before them that file and environment stand for.
  func arguments(over given: [String]) throws -> [String] {
    var added: [String] = []
    for option in known.options where option.name != "config" && !Self.names(option.name, given) {
      let key = ConfigKey([option.name])
      switch option.kind {
      case .value: if let text = reader.string(forKey: key) { added.append("--\(option.name)=\(text)") }
      case .list: added += (reader.stringArray(forKey: key) ?? []).map { "--\(option.name)=\($0)" }
      case .flag, .switchable:
        let isGiven = environment[option.variable] != nil
        guard let isOn = reader.bool(forKey: key) else {
          if isGiven { throw CommandError("\(option.variable) must be true or false.") }
          continue
        }
        if isOn {
          added.append("--\(option.name)")
        } else if option.kind == .switchable {
          added.append("--no-\(option.name)")
        }
      }
    }
    return added + given
  }

  private static func names(_ option: String, _ given: [String]) -> Bool {
    given.contains { $0 == "--\(option)" || $0.hasPrefix("--\(option)=") || $0 == "--no-\(option)" }
  }
}
