internal import MienCore
internal import Foundation
internal import MienAPI

/// Parts of a capture upload.
public struct CaptureUploadForm: Sendable {
  /// JPEG image.
  public var photo: [UInt8]
  /// Depth map of type `application/vnd.mien.depth-frame`.
  public var depth: [UInt8]?
  /// JSON metadata.
  public var metadata: [UInt8]?
  /// JSON with the results of the on-device checks.
  public var detection: [UInt8]?

  public init(photo: [UInt8], depth: [UInt8]? = nil, metadata: [UInt8]? = nil, detection: [UInt8]? = nil) {
    self.photo = photo
    self.depth = depth
    self.metadata = metadata
    self.detection = detection
  }

  /// Function that returns a SHA-256 digest in lowercase hexadecimal.
  public typealias Digest = ([UInt8]) -> String

  /// Returns the lines that a device signs (Documentation/reference/formats/CaptureDigest.md).
  ///
  /// - Parameters:
  ///   - device: the device's ID.
  ///   - counter: at least 1, and greater than in all previous captures.
  ///   - digest: returns the SHA-256 of a part, as text.
  public func lines(device: String, counter: Int64, digest: Digest) -> [UInt8] {
    func of(_ part: [UInt8]?) -> String { part.map(digest) ?? "-" }
    return Array(
      """
      mien-capture-1
      device=\(device)
      counter=\(counter)
      photo=\(digest(photo))
      depth_map=\(of(depth))
      metadata=\(of(metadata))
      detection=\(of(detection))
      burst=-
      clip=-

      """.utf8)
  }

  /// Encodes the part `signature`.
  ///
  /// - Parameters:
  ///   - device: the device's ID.
  ///   - counter: the one of the signed lines.
  ///   - signature: 64 bytes (r, s), or DER.
  ///   - digest: returns the SHA-256 of a part, as text.
  public func signaturePart(device: String, counter: Int64, signature: [UInt8], digest: Digest) throws -> [UInt8] {
    let part = SignaturePart(
      device: device, counter: counter, photo: digest(photo), depth: depth.map(digest), metadata: metadata.map(digest),
      detection: detection.map(digest), signature: Base64URL.encode(signature))
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return Array(try encoder.encode(part))
  }

  /// Encodes the body of `POST /v1/captures`.
  ///
  /// - Parameters:
  ///   - signature: the encoded part `signature`; `nil` for none.
  ///   - assertion: the platform's assertion of the app; `nil` for none.
  ///   - boundary: a random name that occurs in no part.
  public func form(signature: [UInt8]?, assertion: [UInt8]? = nil, boundary: String) -> [UInt8] {
    var body: [UInt8] = []
    body.reserveCapacity(photo.count + (depth?.count ?? 0) + 8192)
    func add(_ name: String, _ file: String, _ type: String, _ bytes: [UInt8]?) {
      guard let bytes else { return }
      body += Array(
        "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(name)\"; filename=\"\(file)\"\r\nContent-Type: \(type)\r\n\r\n"
          .utf8)
      body += bytes
      body += Array("\r\n".utf8)
    }
    add("photo", "photo.jpg", "image/jpeg", photo)
    add("depth_map", "depth_map.bin", "application/vnd.mien.depth-frame", depth)
    add("metadata", "metadata.json", "application/json", metadata)
    add("detection", "detection.json", "application/json", detection)
    add("signature", "signature.json", "application/json", signature)
    add("assertion", "assertion.json", "application/json", assertion)
    body += Array("--\(boundary)--\r\n".utf8)
    return body
  }
}

extension CaptureUploadForm: CustomStringConvertible, CustomReflectable {
  public var description: String { "CaptureUploadForm(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
