#if canImport(ARKit) && canImport(UIKit)
  internal import Foundation
  public import MienViewModels
  internal import Security

  /// Stores secrets in the keychain: on this device only, readable after its first unlock, in no backup.
  public struct KeychainStore: FlowStore {
    private let service: String

    /// - Parameter service: name that the app's items share.
    public init(service: String) {
      self.service = service
    }

    public func read(_ name: String) -> [UInt8]? {
      var query = item(name)
      query[kSecReturnData as String] = true
      query[kSecMatchLimit as String] = kSecMatchLimitOne
      var found: CFTypeRef?
      guard unsafe SecItemCopyMatching(NSDictionary(dictionary: query) as CFDictionary, &found) == errSecSuccess else {
        return nil
      }
      return (found as? Data).map { Array($0) }
    }

    public func write(_ name: String, _ value: [UInt8]?) throws {
      let query = NSDictionary(dictionary: item(name)) as CFDictionary
      let removed = SecItemDelete(query)
      guard removed == errSecSuccess || removed == errSecItemNotFound else { throw ViewError.lowStorage }
      guard let value else { return }
      var attributes = item(name)
      attributes[kSecValueData as String] = Data(value)
      attributes[kSecAttrAccessible as String] = kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
      guard unsafe SecItemAdd(NSDictionary(dictionary: attributes) as CFDictionary, nil) == errSecSuccess else {
        throw ViewError.lowStorage
      }
    }

    private func item(_ name: String) -> [String: Any] {
      [
        kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: service,
        kSecAttrAccount as String: name,
      ]
    }
  }
#endif
