public import MienAuthenticity
internal import MienCore

/// Reason why a file could not be signed.
public struct ProvenanceSigningError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The library's message.
  public let description: String

  init(_ description: String) { self.description = description }
}

/// Signs files with the operator's certificate (C2PA). Uses no network; a signature has no time stamp.
@safe public struct ProvenanceSigner: Sendable {
  private let library: C2PALibrary
  private let certificates: String
  private let key: String
  private let algorithm: String
  /// The certificate that signs.
  public let signer: ContentCredential.Signer

  /// Maximum size of a file and of a signed file, in bytes.
  private static let limit = 256 << 20

  /// Loads the library, and determines the key's algorithm and the signer's name by signing a sample.
  ///
  /// - Parameters:
  ///   - certificates: chain in PEM, the signer's first.
  ///   - key: private key in PEM (PKCS #8): EC P-256 or P-384, Ed25519, or RSA.
  /// - Throws: ``ProvenanceLibraryError``; ``ProvenanceSigningError`` if the certificate or the key cannot be used.
  public init(library path: String, certificates: String, key: String) throws {
    library = try C2PALibrary(path: path)
    (self.certificates, self.key) = (certificates, key)
    var problem = ProvenanceSigningError("no supported algorithm matches the key")
    for algorithm in ["es256", "es384", "ed25519", "ps256"] {
      do throws(ProvenanceSigningError) {
        let statement = SignedStatement.created(title: "Sample", sourceType: "algorithmicMedia", version: "0")
        let signed = try Self.sign(
          Self.sample, "image/gif", statement, isEmbedded: true, library, (algorithm, certificates, key)
        ).file
        let reader = try Self.reader(path)
        guard case .credential(let credential) = reader.verify(signed), let signer = credential.signer else {
          throw ProvenanceSigningError("a signed sample cannot be read")
        }
        (self.algorithm, self.signer) = (algorithm, signer)
        return
      } catch {
        problem = error
      }
    }
    throw problem
  }

  private static func reader(_ path: String) throws(ProvenanceSigningError) -> ProvenanceVerifier {
    do {
      return try ProvenanceVerifier(library: path, trustLists: []) { .zero }
    } catch {
      throw ProvenanceSigningError(error.reason)
    }
  }

  /// A GIF of one pixel.
  private static let sample: [UInt8] =
    Array("GIF89a".utf8) + [
      1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255, 0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0, 0x3B,
    ]

  /// Returns the image with a credential. The call blocks; make it on a worker thread.
  ///
  /// - Parameters:
  ///   - bytes: an image that this program made: the library parses it.
  ///   - type: media type, such as `image/gif`.
  public func sign(
    _ bytes: [UInt8], type: String, _ statement: SignedStatement
  ) throws(ProvenanceSigningError) -> [UInt8] {
    try Self.sign(bytes, type, statement, isEmbedded: true, library, (algorithm, certificates, key)).file
  }

  /// Returns a credential to store beside a file of any format (`.c2pa`), which covers all its bytes. The call blocks;
  /// make it on a worker thread.
  ///
  /// The library only hashes the file and does not parse it, so the file may come from anyone. A credential embedded in
  /// the file counts as part of its bytes.
  public func sidecar(
    of bytes: [UInt8], _ statement: SignedStatement
  ) throws(ProvenanceSigningError) -> [UInt8] {
    try Self.sign(
      bytes, "application/octet-stream", statement, isEmbedded: false, library, (algorithm, certificates, key)
    ).manifest
  }

  private static func sign(
    _ bytes: [UInt8], _ type: String, _ statement: SignedStatement, isEmbedded: Bool, _ library: C2PALibrary,
    _ signer: (algorithm: String, certificates: String, key: String)
  ) throws(ProvenanceSigningError) -> (file: [UInt8], manifest: [UInt8]) {
    let definition = try statement.definition()
    guard bytes.count <= limit else { throw ProvenanceSigningError("the file is too large") }
    let (source, target) = (MemoryStream(bytes, limit: limit), MemoryStream(limit: limit))
    let manifest = withExtendedLifetime((source, target)) {
      unsafe withSigner(signer, library) { key in
        unsafe write(source, to: target, type, definition, statement.event, isEmbedded: isEmbedded, key, library)
      }
    }
    guard let manifest, !isEmbedded || !target.bytes.isEmpty else { throw ProvenanceSigningError(library.lastError) }
    return (target.bytes, manifest)
  }

  /// Calls `body` with the library's signer, which is released afterwards.
  @unsafe private static func withSigner(
    _ signer: (algorithm: String, certificates: String, key: String), _ library: C2PALibrary,
    _ body: (C2PALibrary.Handle) -> [UInt8]?
  ) -> [UInt8]? {
    unsafe signer.algorithm.withCString { algorithm in
      unsafe signer.certificates.withCString { certificates in
        unsafe signer.key.withCString { key in
          // Algorithm, certificates, key, and the address of a time stamp authority.
          let fields: [UnsafePointer<CChar>?] = unsafe [algorithm, certificates, key, nil]
          let made = unsafe fields.withUnsafeBytes { unsafe library.newSigner($0.baseAddress) }
          guard let made = unsafe made else { return nil }
          defer { unsafe library.free(made) }
          return unsafe body(made)
        }
      }
    }
  }

  /// Returns the manifest; `nil` for an error.
  @unsafe private static func write(
    _ source: MemoryStream, to target: MemoryStream, _ type: String, _ definition: String,
    _ event: SignedStatement.Event, isEmbedded: Bool, _ key: C2PALibrary.Handle, _ library: C2PALibrary
  ) -> [UInt8]? {
    guard let context = unsafe context(library) else { return nil }
    defer { unsafe library.free(context) }
    guard let builder = unsafe library.defineManifest(library.newBuilder(context), definition) else { return nil }
    defer { unsafe library.free(builder) }
    // An edit, whose source becomes an ingredient.
    if case .received = event, unsafe library.setIntent(builder, 1, 0) != 0 { return nil }
    if !isEmbedded { unsafe library.setNoEmbed(builder) }
    let (input, output) = unsafe (stream(source, library), stream(target, library))
    defer {
      unsafe library.releaseStream(input)
      unsafe library.releaseStream(output)
    }
    var manifest: UnsafeMutablePointer<UInt8>?
    let size = unsafe library.sign(builder, type, input, output, key, &manifest)
    defer { unsafe library.free(OpaquePointer(manifest)) }
    guard size > 0, let start = unsafe manifest else { return nil }
    return unsafe [UInt8](UnsafeBufferPointer(start: start, count: Int(size)))
  }

  /// Returns a new context for one signature, without network; the caller frees it.
  @unsafe private static func context(_ library: C2PALibrary) -> C2PALibrary.Handle? {
    let settings = unsafe library.newSettings()
    defer { unsafe library.free(settings) }
    let values =
      #"{"builder":{"thumbnail":{"enabled":false}},"verify":{"remote_manifest_fetch":false,"ocsp_fetch":false}}"#
    let contexts = unsafe library.newContextBuilder()
    guard unsafe library.updateSettings(settings, values, "json") == 0,
      unsafe library.setSettings(contexts, settings) == 0,
      unsafe library.setResolver(contexts, library.newResolver(nil, MemoryStream.fetch)) == 0
    else {
      unsafe library.free(contexts)
      return nil
    }
    return unsafe library.buildContext(contexts)
  }

  @unsafe private static func stream(_ memory: MemoryStream, _ library: C2PALibrary) -> C2PALibrary.Handle? {
    unsafe library.newStream(
      memory.context, MemoryStream.read, MemoryStream.seek, MemoryStream.write, MemoryStream.flush)
  }
}
