internal import Configuration
internal import MienFiles

/// Settings of `mien serve`, merged from a configuration file, the environment and the arguments, in ascending
/// precedence.
package struct LayeredConfiguration {
  /// `MIEN_` variables that are not settings: asset folders, the API key used in examples, and variables of the
  /// project's own tools and tests.
  private static let others = [
    "MIEN_PARTS", "MIEN_API_KEY", "MIEN_SERVER_HOST", "MIEN_SHARED", "MIEN_PROGRAM", "MIEN_OBSERVATIONS",
    "MIEN_PEER_PYTHON", "MIEN_RECORD", "MIEN_DAY_CHECKS",
  ]
  private static let othersBeginWith = ["MIEN_TEST_", "MIEN_FUZZ_", "MIEN_BENCHMARK"]

  private let known: OptionCatalog
  private let reader: ConfigReader
  private let environment: [String: String]

  /// - Parameters:
  ///   - file: path of the configuration file, or `nil` for none.
  ///   - environment: only variables whose names begin with `MIEN_` are considered.
  /// - Throws: ``OperationError`` for an unknown key or variable, or an invalid value.
  package init(_ known: OptionCatalog, file: String?, environment: [String: String]) throws {
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

  /// Returns the given arguments, preceded by those derived from the file and the environment.
  package func arguments(over given: [String]) throws -> [String] {
    var added: [String] = []
    for option in known.options where option.name != "config" && !Self.names(option.name, given) {
      let key = ConfigKey([option.name])
      switch option.kind {
      case .value: if let text = reader.string(forKey: key) { added.append("--\(option.name)=\(text)") }
      case .list: added += (reader.stringArray(forKey: key) ?? []).map { "--\(option.name)=\($0)" }
      case .flag, .switchable:
        let isGiven = environment[option.variable] != nil
        guard let isOn = reader.bool(forKey: key) else {
          if isGiven { throw OperationError("\(option.variable) must be true or false.") }
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
