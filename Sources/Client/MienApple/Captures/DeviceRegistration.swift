internal import Foundation
internal import MienClient
internal import MienAPI

/// Makes a device's key known to the server, and has the platform's word on the app go with it where there is one.
///
/// That word is evidence and never a condition: where it cannot be had, the device is registered and captures go without.
public actor DeviceRegistration {
  private let key: any DeviceKey
  private let attestor: (any AppAttestor)?
  private let desk: CaptureClient
  /// The attested key that the server knows.
  private var known: [UInt8]?
  private var attempts = 0
  private var attesting: Task<Bool, Never>?

  /// How often an attestation is tried until the app is started anew.
  private static let maximumAttempts = 3

  /// - Parameter attestor: nil where the platform says nothing of apps.
  public init(key: any DeviceKey, attestor: (any AppAttestor)?, desk: CaptureClient) {
    self.key = key
    self.attestor = attestor
    self.desk = desk
  }

  /// Registers the device's key; the same key again changes nothing.
  ///
  /// - Throws: ``ClientError``, or what the key throws.
  public func register() async throws { _ = try await desk.register(key) }

  /// Registers the device, and has the app vouch for it unless the server knows that already. Whoever asks meanwhile waits
  /// for the same answer, which may take as long as the platform's service; nothing needs to wait for it.
  ///
  /// - Returns: whether the server knows this app's attested key now.
  @discardableResult
  public func vouch() async -> Bool {
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

  /// The part `assertion` of a capture; nil unless the server knows the app's key.
  ///
  /// - Parameter lines: what the device signs.
  public func assertion(over lines: [UInt8]) async -> [UInt8]? {
    guard let attestor, let known, let word = try? await attestor.assertion(over: lines), word.keyID == known else {
      return nil
    }
    let part = AssertionPart(keyID: Data(word.keyID).base64URL, assertion: Data(word.object).base64URL)
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return (try? encoder.encode(part)).map { Array($0) }
  }

  private func attempt(_ attestor: any AppAttestor) async -> Bool {
    do {
      let reply = try await desk.register(key)
      if let kept = await attestor.attestedKeyID(), reply.appAttest?.keyID == Data(kept).base64URL {
        known = kept
        return true
      }
      let challenge = try await desk.challenge().challenge
      let point = Data([4] + (try await key.publicKey())).base64URL
      let clientData = Array(
        AppAttestRequest.clientData(challenge: challenge, device: key.device, point: point).utf8)
      let word = try await attestor.attest(clientData)
      let options = AppAttestRequest(
        keyID: Data(word.keyID).base64URL, challenge: challenge, attestation: Data(word.object).base64URL,
        signature: Data(try await key.sign(clientData)).base64URL)
      _ = try await desk.register(key, appAttest: options)
      known = word.keyID
      return true
    } catch let error as ClientError where [.attestationOff, .attestationRefused].contains(error.code) {
      // Asking again would not change the server's mind.
      attempts = Self.maximumAttempts
      return false
    } catch {
      return false
    }
  }
}
