internal import Foundation

/// Reason why a file could not be signed.
public struct ProvenanceSigningError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The library's message.
  public let description: String

  init(_ description: String) { self.description = description }
}

/// Signs images that the server makes with the operator's certificate (C2PA). Uses no network; a signature has no time stamp.
@safe public struct ProvenanceSigner: Sendable {
  /// Statement that is signed about an image.
  public struct Statement: Sendable {
    let title: String
    /// IPTC digital source type, the last component of its address.
    let sourceType: String
    let version: String

    /// - Parameters:
    ///   - sourceType: last component of an IPTC digital source type, such as `algorithmicMedia`.
    ///   - version: version of the program that made the image.
    public init(title: String, sourceType: String, version: String) {
      self.title = title
      self.sourceType = sourceType
      self.version = version
    }
  }

  private let library: C2PALibrary
  private let certificates: String
  private let key: String
  private let algorithm: String

  /// Maximum size of a signed image, in bytes.
  private static let limit = 64 << 20

  /// Loads the library and determines the key's algorithm by signing a sample.
  ///
  /// - Parameters:
  ///   - certificates: chain in PEM, the signer's first.
  ///   - key: private key in PEM (PKCS #8): EC P-256 or P-384, Ed25519, or RSA.
  /// - Throws: ``ProvenanceLibraryError``; ``ProvenanceSigningError`` if the certificate or the key cannot be used.
  public init(library path: String, certificates: String, key: String) throws {
    library = try C2PALibrary(path: path)
    (self.certificates, self.key) = (certificates, key)
    var problem = ProvenanceSigningError("no algorithm fits the key")
    for algorithm in ["es256", "es384", "ed25519", "ps256"] {
      do throws(ProvenanceSigningError) {
        let statement = Statement(title: "Sample", sourceType: "algorithmicMedia", version: "0")
        _ = try Self.sign(Self.sample, "image/gif", statement, library, (algorithm, certificates, key))
        self.algorithm = algorithm
        return
      } catch {
        problem = error
      }
    }
    throw problem
  }

  /// A GIF of one pixel.
  private static let sample: [UInt8] =
    Array("GIF89a".utf8) + [
      1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255, 0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0, 0x3B,
    ]

  /// Returns the image with a credential. The call blocks; make it on a worker thread.
  ///
  /// - Parameter type: media type, such as `image/gif`.
  public func sign(
    _ bytes: [UInt8], type: String, _ statement: Statement
  ) throws(ProvenanceSigningError) -> [UInt8] {
    try Self.sign(bytes, type, statement, library, (algorithm, certificates, key))
  }

  private static func sign(
    _ bytes: [UInt8], _ type: String, _ statement: Statement, _ library: C2PALibrary,
    _ signer: (algorithm: String, certificates: String, key: String)
  ) throws(ProvenanceSigningError) -> [UInt8] {
    let definition = try definition(statement)
    let (source, target) = (MemoryStream(bytes, limit: limit), MemoryStream(limit: limit))
    let signed = withExtendedLifetime((source, target)) {
      unsafe withSigner(signer, library) { key in
        unsafe write(source, to: target, type, definition, key, library)
      }
    }
    guard signed, !target.bytes.isEmpty else { throw ProvenanceSigningError(library.lastError) }
    return target.bytes
  }

  /// Calls `body` with the library's signer, which is released afterwards.
  @unsafe private static func withSigner(
    _ signer: (algorithm: String, certificates: String, key: String), _ library: C2PALibrary,
    _ body: (C2PALibrary.Handle) -> Bool
  ) -> Bool {
    unsafe signer.algorithm.withCString { algorithm in
      unsafe signer.certificates.withCString { certificates in
        unsafe signer.key.withCString { key in
          // Algorithm, certificates, key, and the address of a time stamp authority.
          let fields: [UnsafePointer<CChar>?] = unsafe [algorithm, certificates, key, nil]
          let made = unsafe fields.withUnsafeBytes { unsafe library.newSigner($0.baseAddress) }
          guard let made = unsafe made else { return false }
          defer { unsafe library.free(made) }
          return unsafe body(made)
        }
      }
    }
  }

  @unsafe private static func write(
    _ source: MemoryStream, to target: MemoryStream, _ type: String, _ definition: String, _ key: C2PALibrary.Handle,
    _ library: C2PALibrary
  ) -> Bool {
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
      return false
    }
    guard let context = unsafe library.buildContext(contexts) else { return false }
    defer { unsafe library.free(context) }
    guard let builder = unsafe library.defineManifest(library.newBuilder(context), definition) else { return false }
    defer { unsafe library.free(builder) }
    let (input, output) = unsafe (stream(source, library), stream(target, library))
    defer {
      unsafe library.releaseStream(input)
      unsafe library.releaseStream(output)
    }
    var manifest: UnsafeMutablePointer<UInt8>?
    let size = unsafe library.sign(builder, type, input, output, key, &manifest)
    unsafe library.free(OpaquePointer(manifest))
    return size > 0
  }

  @unsafe private static func stream(_ memory: MemoryStream, _ library: C2PALibrary) -> C2PALibrary.Handle? {
    unsafe library.newStream(
      memory.context, MemoryStream.read, MemoryStream.seek, MemoryStream.write, MemoryStream.flush)
  }

  /// Returns the manifest's definition as the library reads it.
  private static func definition(_ statement: Statement) throws(ProvenanceSigningError) -> String {
    struct Definition: Encodable {
      struct Generator: Encodable {
        let name = "Mien"
        let version: String
      }
      struct Assertion: Encodable {
        struct Actions: Encodable { let actions: [[String: String]] }
        let label = "c2pa.actions.v2"
        let data: Actions
      }
      let title: String
      let claim_generator_info: [Generator]
      let assertions: [Assertion]
    }
    let created = [
      "action": "c2pa.created",
      "digitalSourceType": "http://cv.iptc.org/newscodes/digitalsourcetype/" + statement.sourceType,
    ]
    let definition = Definition(
      title: statement.title, claim_generator_info: [Definition.Generator(version: statement.version)],
      assertions: [Definition.Assertion(data: .init(actions: [created]))])
    do {
      return String(decoding: try JSONEncoder().encode(definition), as: UTF8.self)
    } catch {
      throw ProvenanceSigningError("the statement cannot be encoded: \(error)")
    }
  }
}
