#if canImport(ARKit) && canImport(UIKit)
  internal import CryptoKit
  internal import Foundation
  internal import MienCore
  public import MienViewModels

  /// Key in the Secure Enclave. It cannot be extracted, not even by the app.
  ///
  /// The store contains a blob that only this device's enclave can use. Devices without an enclave have no key, and
  /// their captures are not signed.
  public actor EnclaveKey: DeviceKey {
    public struct Unavailable: Error, Hashable, Sendable {}

    public nonisolated let device: String
    private let store: any FlowStore
    private var loaded: SecureEnclave.P256.Signing.PrivateKey?

    /// - Parameters:
    ///   - device: a random name for a new device; a stored name takes precedence.
    ///   - store: store for the blob, the name and the counter.
    public init(device: String, store: any FlowStore) {
      self.store = store
      if let kept = store.read("device-name").map({ String(decoding: $0, as: UTF8.self) }), !kept.isEmpty {
        self.device = kept
      } else {
        self.device = device
        try? store.write("device-name", Array(device.utf8))
      }
    }

    public func publicKey() throws -> [UInt8] { Array(try key().publicKey.rawRepresentation) }

    public func sign(_ message: [UInt8]) throws -> [UInt8] {
      Array(try key().signature(for: Data(message)).rawRepresentation)
    }

    public func nextCounter() throws -> Int64 {
      let last = store.read("device-counter").flatMap { Int64(String(decoding: $0, as: UTF8.self)) } ?? 0
      let next = last + 1
      try store.write("device-counter", Array("\(next)".utf8))
      return next
    }

    private func key() throws -> SecureEnclave.P256.Signing.PrivateKey {
      if let loaded { return loaded }
      guard SecureEnclave.isAvailable else { throw Unavailable() }
      let key: SecureEnclave.P256.Signing.PrivateKey
      if let blob = store.read("device-key") {
        key = try SecureEnclave.P256.Signing.PrivateKey(dataRepresentation: Data(blob))
      } else {
        key = try SecureEnclave.P256.Signing.PrivateKey()
        try store.write("device-key", Array(key.dataRepresentation))
      }
      loaded = key
      return key
    }
  }

  /// SHA-256 digests in the format of captures.
  enum Digests {
    static func hexadecimal(_ bytes: [UInt8]) -> String {
      Hexadecimal.encode(SHA256.hash(data: Data(bytes)))
    }
  }

  /// Hardware model identifier, for example `iPhone14,2`.
  enum DeviceName {
    static var model: String {
      var facts = utsname()
      guard unsafe uname(&facts) == 0 else { return "" }
      return unsafe withUnsafeBytes(of: &facts.machine) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
    }
  }
#endif
