public import MienCore

/// A picture that an integrator asked to keep, as it was received.
public struct StoredImage: Hashable, Sendable {
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// The best one, of a check that passed.
    case reference
    /// One for a person to look at later.
    case audit
  }

  /// The largest picture that is kept, in bytes: the limit of AWS Face Liveness.
  public static let maximumBytes = 204_800

  public let kind: Kind
  /// A JPEG or PNG file.
  public let bytes: [UInt8]
  /// Where the face is in it.
  public let box: FaceBox

  public init(kind: Kind, bytes: [UInt8], box: FaceBox) {
    self.kind = kind
    self.bytes = bytes
    self.box = box
  }
}

extension StoredImage: CustomStringConvertible, CustomReflectable {
  public var description: String { "KeptPicture(\(kind.rawValue), withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Gives back and erases the pictures that ``CheckStore/decide(_:_:keeping:)`` kept.
public protocol ImageStore: Sendable {
  /// The pictures of a check, best first within each kind.
  func images(of id: CheckID) async throws -> [StoredImage]
  /// Erases the pictures of checks decided before `time`; returns of how many checks.
  func deletePictures(decidedBefore time: UnixTime) async throws -> Int
}
