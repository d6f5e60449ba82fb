internal import Logging
internal import MienAuthenticity
internal import MienCaptures
internal import MienCore
internal import MienFiles
internal import MienPlatform
internal import MienProvenance
internal import MienServer

/// Adds content credentials to files that the server creates and receives.
///
/// A file that cannot be signed is delivered without a credential, and the reason is logged: an expired certificate must not keep messages,
/// captures or scans from being read.
struct CredentialSigning: Sendable {
  private let signer: ProvenanceSigner
  private let version: String
  private let logger: Logger

  /// Creates the signer with the key in the file that the settings name, which is then stored encrypted, or else with the stored key;
  /// `nil` without a certificate.
  ///
  /// - Throws: ``OperationError`` if the library, the certificate or the key cannot be used.
  init?(
    _ settings: ProvenanceSettings, sealed: SealedProvenanceKey, at time: UnixTime, logger: Logger
  ) async throws {
    guard settings.signing != nil else { return nil }
    let given = try settings.keyInFile()
    let kept = given == nil ? try await sealed.opened() : nil
    guard let key = given ?? kept else {
      throw OperationError(
        "--provenance-certificate needs --provenance-key once: no key is sealed in the database yet.")
    }
    guard let signer = try settings.signer(key: key) else { return nil }
    // Sealed only after a sample was signed with it.
    if let given { try await sealed.seal(given, at: time) }
    self.signer = signer
    version = settings.version
    self.logger = logger
  }

  /// Returns the GIF of a message with a credential, or unchanged if it cannot be signed.
  func gif(_ bytes: [UInt8]) -> [UInt8] {
    let statement = SignedStatement.created(title: "Message", sourceType: "algorithmicMedia", version: version)
    do throws(ProvenanceSigningError) {
      return try signer.sign(bytes, type: "image/gif", statement)
    } catch {
      logger.error("a GIF was not signed: \(error)")
      return bytes
    }
  }

  /// Returns the credential for a photo as received; `nil` if it cannot be signed.
  func reception(of photo: [UInt8], as id: CaptureID, at time: UnixTime) -> ReceptionCredential? {
    let statement = SignedStatement.received(
      title: "Photo of capture \(id.text)", at: ISO8601.rfc3339(milliseconds: time.milliseconds), version: version)
    do throws(ProvenanceSigningError) {
      return ReceptionCredential(signer: signer.signer, manifest: try signer.sidecar(of: photo, statement))
    } catch {
      logger.error("a capture was not signed: \(error)")
      return nil
    }
  }

  /// Returns the credential of a surface made from a scan, to store beside it; `nil` if it cannot be signed.
  func surface(_ bytes: [UInt8], named name: String) -> [UInt8]? {
    let statement = SignedStatement.created(title: name, sourceType: "dataDrivenMedia", version: version)
    do throws(ProvenanceSigningError) {
      return try signer.sidecar(of: bytes, statement)
    } catch {
      logger.error("the export of a scan was not signed: \(error)")
      return nil
    }
  }
}
