internal import MienPlatform
public import MienSecurity
internal import Testing

/// Keyrings of one server before, during and after a rotation, and after the old key has been removed where possible.
public struct KeyRotationFixture: Sendable {
  public let before: MasterKeyring
  public let during: MasterKeyring
  public let after: MasterKeyring
  public let late: MasterKeyring

  public init() async throws {
    var file = try #require(KeyringFile([UInt8](repeating: 1, count: 32)))
    before = try #require(MasterKeyring(file: file.bytes))
    file.begin([UInt8](repeating: 2, count: 32), at: UnixTime(milliseconds: 0), entries: 0)
    during = try #require(MasterKeyring(file: file.bytes))
    file.end()
    after = try #require(MasterKeyring(file: file.bytes))
    try await file.remove(at: UnixTime(milliseconds: 3 * 86_400_000)) { _ in 0 }
    late = try #require(MasterKeyring(file: file.bytes))
  }
}
