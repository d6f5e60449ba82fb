package import MienAvatars
internal import MienCodecs
internal import MienFiles
internal import MienImaging
internal import MienMessageService

/// Sprite sheets of the avatars on disk.
package struct AvatarFiles: AvatarSource {
  package let names = ["bear", "fox"]
  private let folder: String

  /// - Parameter folder: folder with the sheets; `nil` for those of the browser client.
  package init(folder: String? = nil) { self.folder = folder ?? AssetLocation.web + "/assets/avatars" }

  package func sheet(_ name: String) throws -> SpriteSheet { try sheet(name, sheet: nil, rest: nil, between: nil) }

  /// Loads an avatar by name, or from custom sheets.
  package func sheet(_ name: String, sheet: String?, rest: String?, between: String?) throws -> SpriteSheet {
    let expressions = sheet ?? "\(folder)/\(name).png"
    let resting = sheet == nil ? "\(folder)/\(name)-rest.png" : rest
    var passing = between
    if sheet == nil, InputFile.exists("\(folder)/\(name)-between.png") { passing = "\(folder)/\(name)-between.png" }
    do {
      return try SpriteSheet(
        expressions: try image(expressions), rest: try resting.map { try image($0) },
        between: try passing.map { try image($0) })
    } catch let error as AvatarError {
      throw OperationError("\(expressions): \(error.reason)")
    }
  }

  private func image(_ path: String) throws -> Frame {
    var frame = Frame()
    do {
      try PNGDecoder().decode(try InputFile.bytes(path), into: &frame)
    } catch let error as ImageCodecError {
      throw OperationError("\(path): \(error.reason)")
    }
    return frame
  }
}
