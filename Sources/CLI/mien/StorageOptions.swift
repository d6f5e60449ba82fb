import ArgumentParser
import MienCore
import MienService

/// Storage quotas of scans and captures, and the retention time of unfinished scans.
struct StorageOptions: ParsableArguments {
  @Option(
    help: """
      How many megabytes the scans and captures of one API key may come to, what is announced included; those without a key \
      count together. 0: any number.
      """)
  var keyStorageMegabytes = 102_400
  @Option(help: "The same for what is sent with one check's token. 0: any number.")
  var checkStorageMegabytes = 512
  @Option(
    help:
      "How many hours scans stay whose files do not come, that failed or that were cancelled, after their last change.")
  var unfinishedHours = 24

  var quotas: StorageQuotas {
    StorageQuotas(
      perKey: keyStorageMegabytes == 0 ? nil : keyStorageMegabytes << 20,
      perCheck: checkStorageMegabytes == 0 ? nil : checkStorageMegabytes << 20)
  }

  var unfinishedLifetime: Interval { .seconds(Double(unfinishedHours) * 3600) }

  func validate() throws {
    guard (0...1_000_000_000).contains(keyStorageMegabytes) else {
      throw ValidationError("--key-storage-megabytes must be 0 to 1000000000.")
    }
    guard (0...1_000_000).contains(checkStorageMegabytes) else {
      throw ValidationError("--check-storage-megabytes must be 0 to 1000000.")
    }
    guard (1...8760).contains(unfinishedHours) else { throw ValidationError("--unfinished-hours must be 1 to 8760.") }
  }
}
