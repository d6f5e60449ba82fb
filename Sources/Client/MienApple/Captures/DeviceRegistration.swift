internal import MienCore
internal import Foundation
internal import MienAPI
internal import MienClient

/// Registers a device's key with the server, together with the platform's attestation of the app if available.
///
/// The attestation is optional evidence: without it, the device is registered and captures are sent without assertions.
public actor DeviceRegistration {
  private let key: any DeviceKey
  private let attestor: (any AppAttestor)?
  private let client: CaptureClient
  /// ID of the attested key that is registered with the server.
  private var known: [UInt8]?
  private var attempts = 0
  private var attesting: Task<Bool, Never>?

  /// Maximum number of attestation attempts per launch of the app.
  private static let maximumAttempts = 3

  /// - Parameters:
  ///   - key: the key of this device.
  ///   - attestor: `nil` if the platform provides no attestation.
  ///   - client: sends the registration.
  public init(key: any DeviceKey, attestor: (any AppAttestor)?, client: CaptureClient) {
    self.key = key
    self.attestor = attestor
    self.client = client
  }

  /// Registers the device's key. Repeating it with the same key has no effect.
  ///
  /// - Throws: `ClientError`, or the key's errors.
  public func register() async throws { _ = try await client.register(key) }

  /// Registers the device with an attestation of the app, unless that has been done. Concurrent calls share one
  /// attempt, which may take as long as the platform's service; nothing needs to wait for it.
  ///
  /// - Returns: `true` if this app's attested key is registered with the server.
  @discardableResult
  public func attestIfNeeded() async -> Bool {
    guard let attestor else { return false }
    if known != nil { return true }
    if let attesting { return await attesting.value }
    guard attempts < Self.maximumAttempts else { return false }
    attempts += 1
    let task = Task { await attempt(attestor) }
    attesting = task
    defer { attesting = nil }
    return await task.value
  }

  /// Returns the part `assertion` of a capture, or `nil` if the app's key is not registered with the server.
  ///
  /// - Parameter lines: the lines that the device signs.
  public func assertion(over lines: [UInt8]) async -> [UInt8]? {
    guard let attestor, let known, let word = try? await attestor.assertion(over: lines), word.keyID == known else {
      return nil
    }
    let part = AssertionPart(keyID: Base64URL.encode(word.keyID), assertion: Base64URL.encode(word.object))
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return (try? encoder.encode(part)).map { Array($0) }
  }

  private func attempt(_ attestor: any AppAttestor) async -> Bool {
    do {
      let reply = try await client.register(key)
      if let kept = await attestor.attestedKeyID(), reply.appAttest?.keyID == Base64URL.encode(kept) {
        known = kept
        return true
      }
      let challenge = try await client.challenge().challenge
      let point = Base64URL.encode([4] + (try await key.publicKey()))
      let clientData = Array(
        AppAttestRequest.clientData(challenge: challenge, device: key.device, point: point).utf8)
      let word = try await attestor.attest(clientData)
      let options = AppAttestRequest(
        keyID: Base64URL.encode(word.keyID), challenge: challenge, attestation: Base64URL.encode(word.object),
        signature: Base64URL.encode(try await key.sign(clientData)))
      _ = try await client.register(key, appAttest: options)
      known = word.keyID
      return true
    } catch let error as ClientError where [.attestationDisabled, .attestationRejected].contains(error.code) {
      // A retry would be rejected again.
      attempts = Self.maximumAttempts
      return false
    } catch {
      return false
    }
  }
}

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

/// Attestation object or assertion of an app, with the ID of its key.
public struct AttestationResult: Hashable, Sendable {
  /// SHA-256 of the attested key's point, 32 bytes.
  public var keyID: [UInt8]
  /// Unmodified object from the platform.
  public var object: [UInt8]

  public init(keyID: [UInt8], object: [UInt8]) {
    self.keyID = keyID
    self.object = object
  }
}

/// Service that attests that this is the genuine app on a genuine device: App Attest.
public protocol AppAttestor: Sendable {
  /// Returns the ID of the most recently attested key, 32 bytes, or `nil` if there is none.
  func attestedKeyID() async -> [UInt8]?
  /// Attests a new key over client data.
  func attest(_ clientData: [UInt8]) async throws -> AttestationResult
  /// Returns an assertion over a message, made with the attested key.
  func assertion(over message: [UInt8]) async throws -> AttestationResult
}
