#if canImport(ARKit) && canImport(UIKit)
  internal import CryptoKit
  internal import DeviceCheck
  internal import Foundation
  public import MienFlows

  /// Apple's word that this app runs unchanged on a genuine device.
  ///
  /// An attestation is made once for a key, over the server's challenge; assertions are made with that key, over what is
  /// sent. Both are Apple's bytes as they are: who checks them is the server.
  public struct AppAttest: Sendable {
    /// This device, or this build of the app, cannot be attested.
    public struct Unsupported: Error, Hashable, Sendable {}

    private let store: any FlowStore

    public init(store: any FlowStore) {
      self.store = store
    }

    public static var isSupported: Bool { DCAppAttestService.shared.isSupported }

    /// A new key with its attestation. Keys do not outlive a reinstallation of the app.
    ///
    /// - Parameter challenge: the server's, used once.
    public func attest(_ challenge: [UInt8]) async throws -> (key: String, attestation: [UInt8]) {
      guard Self.isSupported else { throw Unsupported() }
      let key: String = try await answer { DCAppAttestService.shared.generateKey(completionHandler: $0) }
      let hash = Self.hash(challenge)
      let attestation: Data = try await answer {
        DCAppAttestService.shared.attestKey(key, clientDataHash: hash, completionHandler: $0)
      }
      try store.write("attested-key", Array(key.utf8))
      return (key, Array(attestation))
    }

    /// Signs what is sent with the attested key.
    public func assertion(over message: [UInt8]) async throws -> [UInt8] {
      guard Self.isSupported, let kept = store.read("attested-key") else { throw Unsupported() }
      let key = String(decoding: kept, as: UTF8.self)
      let hash = Self.hash(message)
      let assertion: Data = try await answer {
        DCAppAttestService.shared.generateAssertion(key, clientDataHash: hash, completionHandler: $0)
      }
      return Array(assertion)
    }

    private func answer<Value: Sendable>(
      _ ask: (@escaping @Sendable (Value?, (any Error)?) -> Void) -> Void
    ) async throws -> Value {
      try await withCheckedThrowingContinuation { continuation in
        ask { value, error in
          continuation.resume(with: value.map { .success($0) } ?? .failure(error ?? Unsupported()))
        }
      }
    }

    private static func hash(_ bytes: [UInt8]) -> Data { Data(SHA256.hash(data: Data(bytes))) }
  }
#endif
