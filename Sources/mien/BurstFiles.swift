import MienAuthenticity
import MienCodecs
import MienFilms

/// The frames of a burst or of a film that somebody names at the terminal.
struct BurstFiles {
  /// Pictures in the order of time.
  let pictures: [String]
  let clip: String?

  /// Empty when nothing is named.
  func frames() async throws -> [BurstFrame] {
    guard let clip else {
      return try pictures.map { path in
        let bytes = try Input.bytes(path)
        do {
          guard let luma = try SceneFiles.burst([bytes]).first else { throw ToolError("\(path) has no picture") }
          return BurstFrame(luma: luma, at: nil)
        } catch let error as PictureError {
          throw ToolError("\(path): \(error.reason)")
        }
      }
    }
    do {
      return try await SceneFiles.clip(Input.bytes(clip))
    } catch let error as FilmError {
      throw ToolError("\(clip): \(error.reason)")
    }
  }
}
