internal import Foundation
internal import MienAuthenticity
internal import MienFiles
package import MienProvenance

/// Settings of content credentials: the trust lists that an operator names, and the certificate to sign with.
package struct ProvenanceSettings: Sendable {
  /// Files of the certificate to sign with.
  package struct SigningFiles: Sendable {
    let certificate: String
    let key: String?

    /// - Parameters:
    ///   - certificate: path of the certificate chain in PEM.
    ///   - key: path of the private key in PEM, readable by this user only; `nil` if an earlier start sealed it in the database.
    package init(certificate: String, key: String?) {
      self.certificate = certificate
      self.key = key
    }
  }

  /// Paths of files with trust anchors, certificates in PEM.
  private let trustLists: [String]
  let signing: SigningFiles?
  private let library: String
  /// Version of the program, which is part of what it signs.
  let version: String
  /// `true` to verify each file in a separate process, which needs the program itself (`mien`).
  private let isIsolated: Bool

  package init(
    trustLists: [String] = [], signing: SigningFiles? = nil, version: String = "",
    library: String = AssetLocation.provenanceLibrary, isIsolated: Bool = false
  ) {
    self.trustLists = trustLists
    self.signing = signing
    self.version = version
    self.library = library
    self.isIsolated = isIsolated
  }

  /// Returns the verifier, which works in this process.
  ///
  /// - Throws: ``ProvenanceLibraryError`` if the library is missing or unusable, which a server can do without;
  ///   ``OperationError`` for an unusable trust list.
  package func verifier() throws -> ProvenanceVerifier {
    let lists = try anchors()
    do {
      return try ProvenanceVerifier(library: library, trustLists: lists, clock: SystemClock().now)
    } catch {
      guard error.code == .badTrustList else { throw error }
      throw OperationError("--provenance-trust \(trustLists.joined(separator: ", ")): \(error.reason)")
    }
  }

  /// Returns a function that verifies files, each in a separate process if the settings require that. The library and the trust lists are
  /// examined first.
  ///
  /// - Throws: like ``verifier()``.
  func verification() throws -> @Sendable ([UInt8]) async -> ProvenanceOutcome {
    let verifier = try self.verifier()
    guard isIsolated else { return { verifier.verify($0) } }
    return ProvenanceProcess(settings: .init(library: library, trustLists: try anchors())).verify
  }

  private func anchors() throws -> [String] { try trustLists.map { try Self.text(of: $0, "--provenance-trust") } }

  /// Returns the private key in the file that the settings name; `nil` if they name none.
  ///
  /// - Throws: ``OperationError`` if the file cannot be read, or others can read it.
  func keyInFile() throws -> String? {
    guard let path = signing?.key else { return nil }
    let key = try Self.text(of: path, "--provenance-key")
    let facts = try? FileManager.default.attributesOfItem(atPath: path)
    guard let mode = facts?[.posixPermissions] as? NSNumber, mode.intValue & 0o077 == 0 else {
      throw OperationError("--provenance-key: \(path) is open to other users; use chmod 600.")
    }
    return key
  }

  /// Returns the signer with this private key; `nil` if no certificate is configured.
  ///
  /// - Throws: ``OperationError`` if the library, the certificate or the key cannot be used.
  func signer(key: String) throws -> ProvenanceSigner? {
    guard let signing else { return nil }
    let certificates = try Self.text(of: signing.certificate, "--provenance-certificate")
    do {
      return try ProvenanceSigner(library: library, certificates: certificates, key: key)
    } catch {
      throw OperationError(
        "--provenance-certificate \(signing.certificate) and its private key cannot be used: \(error)")
    }
  }

  private static func text(of path: String, _ option: String) throws -> String {
    guard let bytes = FileManager.default.contents(atPath: path) else {
      throw OperationError("\(option): \(path) cannot be read.")
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
