#if canImport(ARKit) && canImport(UIKit)
  internal import CryptoKit
  internal import DeviceCheck
  internal import Foundation
  public import MienViewModels

  /// App Attest: Apple's attestation that this is the unmodified app on a genuine device.
  ///
  /// A key is attested once, over client data with the server's challenge; assertions are made with that key over the
  /// signed data. Both are passed on unmodified and verified by the server.
  public actor AppAttest: AppAttestor {
    /// Error thrown if this device, or this build of the app, cannot be attested.
    public struct Unsupported: Error, Hashable, Sendable {}

    private let store: any FlowStore

    public init(store: any FlowStore) {
      self.store = store
    }

    public static var isSupported: Bool { DCAppAttestService.shared.isSupported }

    public func attestedKeyID() -> [UInt8]? { name("attested-key").flatMap(Self.bytes) }

    /// Attests a new key, or the previous one if Apple's service was unavailable for it. Keys do not survive a
    /// reinstallation of the app.
    public func attest(_ clientData: [UInt8]) async throws -> AttestationResult {
      guard Self.isSupported else { throw Unsupported() }
      let key: String
      if let kept = name("unattested-key") {
        key = kept
      } else {
        key = try await answer { DCAppAttestService.shared.generateKey(completionHandler: $0) }
        try store.write("unattested-key", Array(key.utf8))
      }
      guard let id = Self.bytes(key) else { throw Unsupported() }
      let hash = Self.hash(clientData)
      let object: Data
      do {
        object = try await answer {
          DCAppAttestService.shared.attestKey(key, clientDataHash: hash, completionHandler: $0)
        }
      } catch {
        // As Apple recommends: retry with the same key if the service was unavailable, with a new one after other
        // errors.
        if (error as? DCError)?.code != .serverUnavailable { try? store.write("unattested-key", nil) }
        throw error
      }
      try store.write("attested-key", Array(key.utf8))
      try store.write("unattested-key", nil)
      return AttestationResult(keyID: id, object: Array(object))
    }

    public func assertion(over message: [UInt8]) async throws -> AttestationResult {
      guard Self.isSupported, let key = name("attested-key"), let id = Self.bytes(key) else { throw Unsupported() }
      let hash = Self.hash(message)
      let assertion: Data = try await answer {
        DCAppAttestService.shared.generateAssertion(key, clientDataHash: hash, completionHandler: $0)
      }
      return AttestationResult(keyID: id, object: Array(assertion))
    }

    private func name(_ place: String) -> String? { store.read(place).map { String(decoding: $0, as: UTF8.self) } }

    private func answer<Value: Sendable>(
      _ ask: (@escaping @Sendable (Value?, (any Error)?) -> Void) -> Void
    ) async throws -> Value {
      try await withCheckedThrowingContinuation { continuation in
        ask { value, error in
          continuation.resume(with: value.map { .success($0) } ?? .failure(error ?? Unsupported()))
        }
      }
    }

    /// Decodes Apple's key ID, the base64-encoded digest of the key.
    private static func bytes(_ key: String) -> [UInt8]? {
      Data(base64Encoded: key).map { Array($0) }.flatMap { $0.count == 32 ? $0 : nil }
    }

    private static func hash(_ bytes: [UInt8]) -> Data { Data(SHA256.hash(data: Data(bytes))) }
  }
#endif
