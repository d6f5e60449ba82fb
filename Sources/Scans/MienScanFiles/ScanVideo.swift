public import MienDepth

/// The colour film that a recording has instead of pictures.
///
/// It is not decoded here: whoever can lays frames of it in a folder, as `N.jpg` by their number in the film from 0, as they are stored and
/// not turned, and opens the scan once more with ``ScanImporter/Hints/filmFrames``.
public struct ScanVideo: Sendable {
  public let name: String
  /// How many frames it should have, one for each of the recording's.
  public let frames: Int
  private let tree: any FileTree

  init(_ tree: any FileTree, name: String, frames: Int) {
    self.tree = tree
    self.name = name
    self.frames = frames
  }

  /// Its bytes. A film that an archive has packed is unpacked into memory as long as they are held, at most 256 MB.
  ///
  /// - Throws: ``ScanError``.
  public func bytes() throws(ScanError) -> any ByteSource { try tree.pieces(name, limit: ImportLimits.film) }
}
