internal import Foundation
internal import MienFiles
package import MienProvenance

/// Settings of content credentials: the trust lists that an operator names, and the certificate to sign with.
package struct ProvenanceSettings: Sendable {
  /// Files of the certificate to sign with.
  package struct SigningFiles: Sendable {
    let certificate: String
    let key: String

    /// - Parameters:
    ///   - certificate: path of the certificate chain in PEM.
    ///   - key: path of the private key in PEM; readable by this user only.
    package init(certificate: String, key: String) {
      self.certificate = certificate
      self.key = key
    }
  }

  /// Paths of files with trust anchors, certificates in PEM.
  private let trustLists: [String]
  private let files: SigningFiles?
  private let library: String
  /// Version of the program, which is part of what it signs.
  let version: String

  package init(
    trustLists: [String] = [], signing files: SigningFiles? = nil, version: String = "",
    library: String = AssetLocation.provenanceLibrary
  ) {
    self.trustLists = trustLists
    self.files = files
    self.version = version
    self.library = library
  }

  /// Returns the verifier.
  ///
  /// - Throws: ``ProvenanceLibraryError`` if the library is missing or unusable, which a server can do without;
  ///   ``OperationError`` for an unusable trust list.
  package func verifier() throws -> ProvenanceVerifier {
    let lists = try trustLists.map { try Self.text(of: $0, "--provenance-trust") }
    do {
      return try ProvenanceVerifier(library: library, trustLists: lists, clock: SystemClock().now)
    } catch {
      guard error.code == .badTrustList else { throw error }
      throw OperationError("--provenance-trust \(trustLists.joined(separator: ", ")): \(error.reason)")
    }
  }

  /// Returns the signer; `nil` if no certificate is configured.
  ///
  /// - Throws: ``OperationError`` if the library, the certificate or the key cannot be used, or others can read the key.
  package func signer() throws -> ProvenanceSigner? {
    guard let files else { return nil }
    let certificates = try Self.text(of: files.certificate, "--provenance-certificate")
    let key = try Self.text(of: files.key, "--provenance-key")
    let facts = try? FileManager.default.attributesOfItem(atPath: files.key)
    guard let mode = facts?[.posixPermissions] as? NSNumber, mode.intValue & 0o077 == 0 else {
      throw OperationError("--provenance-key: \(files.key) is open to other users; use chmod 600.")
    }
    do {
      return try ProvenanceSigner(library: library, certificates: certificates, key: key)
    } catch {
      throw OperationError(
        "--provenance-certificate \(files.certificate) and --provenance-key cannot be used: \(error)")
    }
  }

  private static func text(of path: String, _ option: String) throws -> String {
    guard let bytes = FileManager.default.contents(atPath: path) else {
      throw OperationError("\(option): \(path) cannot be read.")
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
