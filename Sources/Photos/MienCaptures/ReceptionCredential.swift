public import MienAuthenticity
internal import MienCore

/// The server's signed statement that it received a photo: a content credential (C2PA) to store beside the file as received, which
/// stays as it is.
public struct ReceptionCredential: Hashable, Sendable {
  public let signer: ContentCredential.Signer
  /// Content of the `.c2pa` file. It covers all bytes of the photo.
  public let manifest: [UInt8]

  public init(signer: ContentCredential.Signer, manifest: [UInt8]) {
    self.signer = signer
    self.manifest = manifest
  }
}

extension ReceptionCredential: Codable {
  private enum CodingKeys: String, CodingKey { case signer, manifest }

  public init(from decoder: any Decoder) throws {
    let box = try decoder.container(keyedBy: CodingKeys.self)
    signer = try box.decode(ContentCredential.Signer.self, forKey: .signer)
    guard let bytes = Base64URL.decode(try box.decode(String.self, forKey: .manifest)) else {
      throw DecodingError.dataCorruptedError(forKey: .manifest, in: box, debugDescription: "not base64url")
    }
    manifest = bytes
  }

  public func encode(to encoder: any Encoder) throws {
    var box = encoder.container(keyedBy: CodingKeys.self)
    try box.encode(signer, forKey: .signer)
    try box.encode(Base64URL.encode(manifest), forKey: .manifest)
  }
}
