internal import MienFiles
internal import MienPlatform
internal import MienSecurity

/// The private key of the certificate that signs content credentials: sealed in the database under the live realm's keyring, like the
/// server's other keys, so that its file is needed once.
struct SealedProvenanceKey {
  private static let name = "c2pa"
  private static let label = EncryptedSecret.label(.provenanceKey, name)

  let store: any EncryptedSecretStore
  let keyring: MasterKeyring

  /// Seals a key in PEM in place of an earlier one, also of one that cannot be decrypted.
  ///
  /// - Throws: ``StoreError``.
  func seal(_ key: String, at time: UnixTime) async throws {
    guard (try? await opened()) != key else { return }
    var generator = SystemRandomNumberGenerator()
    let sealed = keyring.close(Array(key.utf8), as: Self.label, using: &generator)
    _ = try await store.removeSecret(.provenanceKey, Self.name)
    try await store.save(EncryptedSecret(kind: .provenanceKey, name: Self.name, sealed: sealed, created: time))
  }

  /// Returns the sealed key in PEM; `nil` if there is none.
  ///
  /// - Throws: ``OperationError`` if it cannot be decrypted; ``StoreError``.
  func opened() async throws -> String? {
    guard let kept = try await store.secret(.provenanceKey, Self.name) else { return nil }
    guard let key = keyring.open(kept.sealed, as: Self.label) else {
      throw OperationError(
        "The private key of --provenance-certificate cannot be decrypted with the server's keyring. Give --provenance-key again, or "
          + "restore the keyring file that belongs to this database.")
    }
    return String(decoding: key, as: UTF8.self)
  }
}
