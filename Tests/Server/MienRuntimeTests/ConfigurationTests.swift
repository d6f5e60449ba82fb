import Foundation
import MienFiles
import Testing

@testable import MienRuntime

/// Settings from a file, the environment and the arguments.
@Suite struct `Layered configuration` {
  private static let options = OptionCatalog(
    help: """
      OPTIONS:
        --config <file>         Configuration file.
        --result-days <days>    Days to keep results.
        --allow-origin <origin> Origin of a page.
        --images/--no-images    Store images.
        --access-log            Log requests.
        -h, --help              Show help information.
      """, lists: ["allow-origin"])

  /// Returns the arguments of a command whose file has the given content.
  private func arguments(
    file: String? = nil, environment: [String: String] = [:], given: [String] = []
  ) async throws -> [String] {
    try await withTemporaryDirectory { folder in
      let path = folder + "/mien.json"
      if let file { try Data(file.utf8).write(to: URL(fileURLWithPath: path)) }
      return try LayeredConfiguration(
        Self.options, file: file == nil ? nil : path, environment: environment
      ).arguments(over: given)
    }
  }

  @Test func `the help lists each option with its type`() {
    #expect(
      Self.options.options.map(\.name) == ["config", "result-days", "allow-origin", "images", "access-log"])
    #expect(Self.options.options.map(\.kind) == [.value, .value, .list, .switchable, .flag])
    #expect(Self.options.options[1].variable == "MIEN_RESULT_DAYS")
  }

  @Test func `the environment overrides the file and arguments override both`() async throws {
    let file = #"{"result-days": 10}"#
    #expect(try await arguments(file: file) == ["--result-days=10"])
    #expect(try await arguments(file: file, environment: ["MIEN_RESULT_DAYS": "20"]) == ["--result-days=20"])
    for given in [["--result-days", "30"], ["--result-days=30"]] {
      #expect(
        try await arguments(file: file, environment: ["MIEN_RESULT_DAYS": "20"], given: given) == given)
    }
  }

  @Test func `flags and lists of the file become arguments`() async throws {
    let file = #"{"images": false, "access-log": true, "allow-origin": ["https://a.example", "https://b.example"]}"#
    #expect(
      try await arguments(file: file)
        == ["--allow-origin=https://a.example", "--allow-origin=https://b.example", "--no-images", "--access-log"])
    #expect(try await arguments(file: file, given: ["--images"]).contains("--no-images") == false)
  }

  @Test(arguments: [
    #"{"result-day": 1}"#, #"{"result-days": true}"#, #"{"images": "yes"}"#, #"{"config": "x"}"#, "[]", "nonsense",
  ])
  func `a file with invalid content is rejected`(_ file: String) async throws {
    await #expect(throws: OperationError.self) { _ = try await arguments(file: file) }
  }

  @Test func `an unknown name is reported with the closest known one`() async throws {
    let error = await #expect(throws: OperationError.self) {
      _ = try await arguments(environment: ["MIEN_RESULT_DAY": "1"])
    }
    #expect(error?.description.hasSuffix("Did you mean MIEN_RESULT_DAYS?") == true)
    #expect(OptionCatalog.nearest("imags", among: ["config", "images"]) == "images")
    #expect(OptionCatalog.nearest("imgs", among: ["config", "images"], within: 2) == "images")
    #expect(OptionCatalog.nearest("frobnicate", among: ["config", "images"], within: 2) == nil)
  }

  @Test func `variables of other programs and of the project's tools are ignored`() async throws {
    #expect(try await arguments(environment: ["PATH": "/bin", "MIEN_PARTS": "x", "MIEN_TEST_X": "y"]).isEmpty)
  }

  @Test func `a flag in the environment must be true or false`() async throws {
    #expect(try await arguments(environment: ["MIEN_ACCESS_LOG": "true"]) == ["--access-log"])
    await #expect(throws: OperationError.self) { _ = try await arguments(environment: ["MIEN_ACCESS_LOG": "maybe"]) }
  }
}
