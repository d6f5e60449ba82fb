internal import ArgumentParser
internal import MienCaptures
internal import MienCore
internal import MienPlatform
internal import MienRuntime
internal import MienScanService

/// Storage quotas of scans and captures, and the retention time of unfinished scans.
struct StorageOptions: ParsableArguments {
  @Option(
    help: """
      Storage quota per API key for scans and captures in megabytes, including declared uploads; data sent without a key \
      shares one quota. 0: unlimited.
      """)
  var keyStorageMegabytes = 102_400
  @Option(help: "Storage quota per check's token in megabytes. 0: unlimited.")
  var checkStorageMegabytes = 512
  @Option(help: "Maximum number of captures sent with a check's token.")
  var checkCaptures = 4
  @Option(help: "Maximum size of all captures sent with a check's token, in megabytes.")
  var checkCaptureMegabytes = 64
  @Option(
    help:
      "Hours to keep scans that are incomplete, failed, or canceled, after their last change.")
  var unfinishedHours = 24

  func apply(to settings: inout RuntimeSettings) {
    let quotas = StorageQuotas(
      perKey: keyStorageMegabytes == 0 ? nil : keyStorageMegabytes << 20,
      perCheck: checkStorageMegabytes == 0 ? nil : checkStorageMegabytes << 20)
    settings.captures.quotas = quotas
    settings.captures.checkLimits = CheckCaptureLimits(count: checkCaptures, bytes: checkCaptureMegabytes << 20)
    settings.scans.quotas = quotas
    settings.scans.timeout = .seconds(Double(unfinishedHours) * 3600)
  }

  func validate() throws {
    guard (0...1_000_000_000).contains(keyStorageMegabytes) else {
      throw ValidationError("--key-storage-megabytes must be 0 to 1000000000.")
    }
    guard (0...1_000_000).contains(checkStorageMegabytes) else {
      throw ValidationError("--check-storage-megabytes must be 0 to 1000000.")
    }
    guard (1...1000).contains(checkCaptures) else { throw ValidationError("--check-captures must be 1 to 1000.") }
    guard (1...1_000_000).contains(checkCaptureMegabytes) else {
      throw ValidationError("--check-capture-megabytes must be 1 to 1000000.")
    }
    guard (1...8760).contains(unfinishedHours) else { throw ValidationError("--unfinished-hours must be 1 to 8760.") }
  }
}

/// Location of a server's records: options shared by all commands that work beside a server.
struct StoreOptions: ParsableArguments {
  @Option(help: "The server's data folder.")
  var data = "data"
  @Option(help: ArgumentHelp("The server's --store, if it uses one.", valueName: "url"))
  var store: String?

  var location: StoreLocation { StoreLocation(data: data, store: store) }
}

/// Locations of the assets that the program needs at run time.
struct AssetOptions: ParsableArguments {
  @Option(help: "Folder with the face models (default: .mien/models beside the package, or $MIEN_PARTS/models).")
  var models: String?

  var location: AssetLocation { AssetLocation(models: models) }
}
