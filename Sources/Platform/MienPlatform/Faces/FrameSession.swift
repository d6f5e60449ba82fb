public import MienCore

/// The session of a frame: sessions share the models' processing time evenly.
public struct FrameSession: Hashable, Sendable {
  /// Identifier of the session, unique within the process.
  public let key: String
  /// Maximum number of pixels of a frame; larger ones are rejected by their header.
  public let mostPixels: Int

  /// `true` to cut the face out for comparison.
  public let alignsFaces: Bool

  /// `true` to read every supported image format; `false` for JPEG and PNG only, as cameras' frames are sent.
  public let readsPhotos: Bool

  private init(key: String, mostPixels: Int, alignsFaces: Bool = false, readsPhotos: Bool = false) {
    self.key = key
    self.mostPixels = mostPixels
    self.alignsFaces = alignsFaces
    self.readsPhotos = readsPhotos
  }

  /// Maximum number of pixels of a live frame: a camera's 2560 × 1600.
  public static let mostLivePixels = 4 << 20

  /// Returns the session of a check or performance.
  ///
  /// - Parameter aligningFace: `true` to cut the face of this frame out for comparison.
  public static func live(_ id: CheckID, aligningFace: Bool = false) -> FrameSession {
    FrameSession(key: id.text, mostPixels: mostLivePixels, alignsFaces: aligningFace)
  }

  /// Images without a session; all of them share the models' time of one session.
  public static let preview = FrameSession(key: "preview", mostPixels: mostLivePixels)

  /// Images whose faces are compared; all of them share the models' time of one session.
  public static let comparison = FrameSession(
    key: "comparison", mostPixels: .max, alignsFaces: true, readsPhotos: true)

  /// Photos of scans and files of command-line tools, which may be larger.
  public static let files = FrameSession(key: "files", mostPixels: .max, readsPhotos: true)
}

/// Limits the total model time of one session's frames.
package struct ProcessingBudget: Sendable {
  /// A legitimate session of one minute at twelve frames per second uses half of it on a slow machine.
  static let standard: Interval = .seconds(90)

  private var left: Interval

  package init(_ budget: Interval = Self.standard) { left = budget }

  /// Rejects a frame if the session has used up its time.
  ///
  /// - Throws: ``ServiceError`` with `tooManyRequests`.
  package func admit() throws {
    guard left > .zero else {
      throw ServiceError(
        .tooManyRequests,
        "The frames of this session have used up the processing time that the server allows per session. "
          + "Start a new session and send smaller images.")
    }
  }

  /// Subtracts the processing time of a frame.
  package mutating func use(_ took: Interval) {
    left = Interval(nanoseconds: left.nanoseconds - max(0, took.nanoseconds))
  }
}
