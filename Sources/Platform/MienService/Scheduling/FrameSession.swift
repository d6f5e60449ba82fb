public import MienCore

/// The session that a frame belongs to: sessions share the models evenly, by the time that their frames take.
public struct FrameSession: Hashable, Sendable {
  /// Names the session among all of a process.
  public let key: String
  /// Most pixels of a frame; larger ones are refused by their header.
  public let mostPixels: Int

  private init(key: String, mostPixels: Int) {
    self.key = key
    self.mostPixels = mostPixels
  }

  /// Most pixels of a frame that is looked at while a person waits: a camera's 2560 × 1600.
  public static let mostLivePixels = 4 << 20

  /// A check or a performance.
  public static func live(_ id: CheckID) -> FrameSession {
    FrameSession(key: id.text, mostPixels: mostLivePixels)
  }

  /// A picture that belongs to no session; all of them share one session's part of the models.
  public static let preview = FrameSession(key: "preview", mostPixels: mostLivePixels)

  /// Photos of scans and files of tools, which may be larger.
  public static let files = FrameSession(key: "files", mostPixels: .max)
}
