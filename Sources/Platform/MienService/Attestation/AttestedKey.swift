/// The key for which Apple attests that a genuine app on a genuine device has it: an App Attest key, kept with its device.
public struct AttestedKey: Hashable, Sendable {
  /// Which of Apple's two services attested it.
  public enum Environment: String, Hashable, Sendable, CaseIterable, Codable {
    /// An app as it is sold or tested by way of Apple.
    case production
    /// An app that its developer put on a device.
    case development
  }

  /// SHA-256 of the public key's point, 32 bytes.
  public let id: ContentDigest
  public let key: DeviceKey
  /// The counter of the latest assertion whose capture was what its device signed; 0 before the first, at most 2^32 - 1.
  public let counter: Int64
  public let environment: Environment
  /// When the server checked the attestation.
  public let attested: UnixTime

  public init(
    id: ContentDigest, key: DeviceKey, counter: Int64 = 0, environment: Environment, attested: UnixTime
  ) {
    self.id = id
    self.key = key
    self.counter = counter
    self.environment = environment
    self.attested = attested
  }
}
