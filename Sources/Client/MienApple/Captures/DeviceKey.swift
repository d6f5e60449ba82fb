/// A key that signs captures and never leaves its device.
public protocol DeviceKey: Sendable {
  /// The device's name, 1 to 64 characters of `A–Z a–z 0–9 - _`.
  var device: String { get }
  /// The point of the public key on P-256: x, then y, 32 bytes each.
  func publicKey() async throws -> [UInt8]
  /// ECDSA with SHA-256: 64 bytes (r, s), or DER.
  func sign(_ message: [UInt8]) async throws -> [UInt8]
  /// The number of the next capture, more than all before it, kept before it is used.
  func nextCounter() async throws -> Int64
}
