public import MienScanFormat

/// Color video of a recording that has no separate images.
///
/// The video is not decoded here. To use its frames, the caller extracts them to a folder as `N.jpg`, numbered from 0
/// in the video's order, unrotated, and opens the scan again with ``ScanImporter/Hints/filmFrames``.
public struct ScanVideo: Sendable {
  public let name: String
  /// Expected number of video frames, one per frame of the recording.
  public let frames: Int
  private let tree: any FileTree

  init(_ tree: any FileTree, name: String, frames: Int) {
    self.tree = tree
    self.name = name
    self.frames = frames
  }

  /// Returns the video's bytes. A video compressed in an archive is decompressed into memory, at most 256 MB, while the
  /// result is in use.
  ///
  /// - Throws: ``ScanError``.
  public func bytes() throws(ScanError) -> any ByteSource { try tree.pieces(name, limit: ImportLimits.film) }
}
