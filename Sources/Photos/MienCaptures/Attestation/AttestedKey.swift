public import MienPlatform

/// An App Attest key, for which Apple attests that a genuine app on a genuine device holds it; stored with its device.
public struct AttestedKey: Hashable, Sendable {
  /// Apple's attestation environment.
  public enum Environment: String, Hashable, Sendable, CaseIterable, Codable {
    /// An app distributed by Apple, for sale or for testing.
    case production
    /// An app installed on a device by its developer.
    case development
  }

  /// SHA-256 of the public key's point, 32 bytes.
  public let id: ContentDigest
  public let key: DeviceKey
  /// Counter of the latest assertion whose capture matched its device's signature; 0 before the first, at most 2^32 -
  /// 1.
  public let counter: Int64
  public let environment: Environment
  /// Time at which the server verified the attestation.
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
