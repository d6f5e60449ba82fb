public import MienCore
public import MienPlatform

/// An image stored at the integrator's request, as it was received.
public struct StoredImage: Hashable, Sendable {
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// The best image of a check that passed.
    case reference
    /// An image for later manual review.
    case audit
  }

  /// Maximum size of a stored image in bytes: the limit of AWS Face Liveness.
  public static let maximumBytes = 204_800

  public let kind: Kind
  /// The JPEG or PNG file.
  public let bytes: [UInt8]
  /// Position of the face in the image.
  public let box: FaceBox

  public init(kind: Kind, bytes: [UInt8], box: FaceBox) {
    self.kind = kind
    self.bytes = bytes
    self.box = box
  }
}

extension StoredImage: CustomStringConvertible, CustomReflectable {
  public var description: String { "StoredImage(\(kind.rawValue), withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Returns and deletes the images that ``CheckStore/decide(_:_:keeping:template:counting:under:)`` stored.
public protocol ImageStore: Sendable {
  /// Returns the images of a check, best first within each kind.
  func images(of id: CheckID) async throws -> [StoredImage]
  /// Deletes the images of checks decided before `time`; returns the number of those checks.
  func deletePictures(decidedBefore time: UnixTime) async throws -> Int
}

/// The column format of a face's position in an image: left edge, top edge, width and height.
public struct FaceBoxRecord: Codable, Sendable {
  public let box: FaceBox

  public init(_ box: FaceBox) { self.box = box }

  public init(from decoder: any Decoder) throws {
    var list = try decoder.unkeyedContainer()
    box = FaceBox(
      x: try list.decode(Float.self), y: try list.decode(Float.self), width: try list.decode(Float.self),
      height: try list.decode(Float.self))
  }

  public func encode(to encoder: any Encoder) throws {
    var list = encoder.unkeyedContainer()
    for number in [box.x, box.y, box.width, box.height] { try list.encode(number) }
  }
}
