/// Signing key for captures that cannot be exported from its device.
public protocol DeviceKey: Sendable {
  /// Device name, 1 to 64 characters of `A–Z a–z 0–9 - _`.
  var device: String { get }
  /// Returns the point of the P-256 public key: x, then y, 32 bytes each.
  func publicKey() async throws -> [UInt8]
  /// Signs a message with ECDSA and SHA-256. Returns 64 bytes (r, s), or DER.
  func sign(_ message: [UInt8]) async throws -> [UInt8]
  /// Returns the number of the next capture, greater than all previous ones. It is saved before it is returned.
  func nextCounter() async throws -> Int64
}
