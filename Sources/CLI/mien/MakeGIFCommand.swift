import ArgumentParser
import Foundation
import MienAvatars
import MienCodecs
import MienExpressions
import MienImaging

/// `mien gif`: writes the animation of a message.
struct MakeGIFCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "gif", abstract: "Create a message GIF in which an avatar shows a sequence.",
    discussion: "Exit status: 0 written, 2 not written, 64 usage error.")

  @Option(help: "Avatar: bear, fox, or another name in the avatar folder.")
  var avatar = "bear"
  @Option(help: "The expressions, for example smile,wink_l,surprise: 3 to 12, no two equal in a row.")
  var sequence: String?
  @Flag(help: "Do not show the sequence.")
  var secret = false
  @Option(help: "Message ID, XXXX-XXXX-XXXX-XXXX; if omitted, a new one is generated and printed.")
  var id: String?
  @Option(help: "Custom sprite sheet: 768×512, six sprites (instead of --avatar).", completion: .file())
  var sheet: String?
  @Option(help: "Resting sprites for --sheet: 768×256, neutral, blink, glance.", completion: .file())
  var rest: String?
  @Option(help: "Avatar folder (default: Web/assets/avatars beside the package).", completion: .directory)
  var avatars: String?
  @Option(name: .shortAndLong, help: "Output file.", completion: .file())
  var output: String

  func validate() throws {
    guard (sequence == nil) == secret else { throw ValidationError("Give either --sequence or --secret.") }
    if let sequence {
      do {
        _ = try ExpressionSequence(text: sequence)
      } catch {
        throw ValidationError("--sequence: \(error).")
      }
    }
    if let id, MessageID(text: id) == nil {
      throw ValidationError("--id is no message number, or its check characters do not fit.")
    }
    if rest != nil, sheet == nil { throw ValidationError("--rest belongs to --sheet.") }
    let isPlain = avatar.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
    guard isPlain, !avatar.isEmpty else { throw ValidationError("--avatar is a plain name.") }
  }

  func run() async throws {
    try await Terminal.reporting { try write() }
  }

  private func write() throws {
    var generator = SystemRandomNumberGenerator()
    let code = id.flatMap { MessageID(text: $0) } ?? MessageID(using: &generator)
    let avatar = try AvatarFiles(folder: avatars).sheet(avatar, sheet: sheet, rest: rest)
    let gif =
      try sequence.map { avatar.animation(of: try ExpressionSequence(text: $0), code: code) } ?? avatar.idle(code: code)
    do {
      try Data(gif).write(to: URL(fileURLWithPath: output), options: .atomic)
    } catch {
      throw CommandError("\(output) cannot be written: \(Terminal.reason(error))")
    }
    try Terminal.say(code.text)
  }
}

/// Sprite sheets of the avatars on disk.
struct AvatarFiles {
  let folder: String

  init(folder: String? = nil) { self.folder = folder ?? AssetOptions.find("Web") + "/assets/avatars" }

  /// Loads an avatar by name, or from custom sheets.
  func sheet(_ name: String, sheet: String? = nil, rest: String? = nil) throws -> SpriteSheet {
    let expressions = sheet ?? "\(folder)/\(name).png"
    let resting = sheet == nil ? "\(folder)/\(name)-rest.png" : rest
    do {
      return try SpriteSheet(expressions: try image(expressions), rest: try resting.map { try image($0) })
    } catch let error as AvatarError {
      throw CommandError("\(expressions): \(error.reason)")
    }
  }

  private func image(_ path: String) throws -> Frame {
    var frame = Frame()
    do {
      try PNGDecoder().decode(try Input.bytes(path), into: &frame)
    } catch let error as ImageCodecError {
      throw CommandError("\(path): \(error.reason)")
    }
    return frame
  }
}
