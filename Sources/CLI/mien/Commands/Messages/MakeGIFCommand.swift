import ArgumentParser
import Foundation
import MienAvatars
import MienCodecs
import MienExpressions
import MienFiles
import MienImaging
import MienRuntime

/// `mien gif`: writes the animation of a message.
struct MakeGIFCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "gif", abstract: "Create a message GIF in which an avatar shows a sequence.",
    discussion: """
      Example:
        mien gif --avatar fox --sequence smile,wink_l,smooch -o fox.gif

      Exit status: 0 written, 2 not written, 64 usage error.
      """)

  @Option(help: "Avatar: bear, fox, or another name in the avatar folder.")
  var avatar = "bear"
  @Option(help: SequenceOption.help)
  var sequence: String?
  @Flag(help: "Do not show the sequence.")
  var secret = false
  @Option(help: "Message ID, XXXX-XXXX-XXXX-XXXX; if omitted, a new one is generated and printed.")
  var id: String?
  @Option(help: "Custom sprite sheet: 768×512, six sprites (instead of --avatar).", completion: .file())
  var sheet: String?
  @Option(help: "Resting sprites for --sheet: 768×256, neutral, blink, glance.", completion: .file())
  var rest: String?
  @Option(help: "In-between sprites for --sheet: 768×1024, a third of the way, then two thirds.", completion: .file())
  var between: String?
  @OptionGroup var look: GIFOptionGroup
  @Option(help: "Avatar folder (default: Web/assets/avatars beside the package).", completion: .directory)
  var avatars: String?
  @Option(name: .shortAndLong, help: "Output file.", completion: .file())
  var output: String

  func validate() throws {
    guard (sequence == nil) == secret else { throw ValidationError("Give either --sequence or --secret.") }
    if let sequence { _ = try SequenceOption.parse(sequence) }
    if let id, MessageID(text: id) == nil {
      throw ValidationError("--id is no message number, or its check characters do not fit.")
    }
    guard sheet != nil || (rest == nil && between == nil) else {
      throw ValidationError("--rest and --between belong to --sheet.")
    }
    let isPlain = avatar.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
    guard isPlain, !avatar.isEmpty else { throw ValidationError("--avatar is a plain name.") }
  }

  func run() async throws {
    try await Terminal.reporting { try write() }
  }

  private func write() throws {
    var generator = SystemRandomNumberGenerator()
    let code = id.flatMap { MessageID(text: $0) } ?? MessageID(using: &generator)
    let avatar = try AvatarFiles(folder: avatars).sheet(avatar, sheet: sheet, rest: rest, between: between)
    let gif =
      try sequence.map { avatar.animation(of: try SequenceOption.parse($0), code: code, options: look.options) }
      ?? avatar.idle(code: code, options: look.options)
    do {
      try Data(gif).write(to: URL(fileURLWithPath: output), options: .atomic)
    } catch {
      throw OperationError("\(output) cannot be written: \(error.fileReason)")
    }
    try Terminal.say(code.text)
  }
}

/// Options of commands that write a message's GIF.
struct GIFOptionGroup: ParsableArguments {
  @Option(help: "classic: one image for each expression; smooth: in-between images, at most 60 KB.")
  var style = Style.classic
  @Option(help: "Seconds for which the message ID is shown, 0.5 to 10.")
  var idSeconds = 0.5

  enum Style: String, ExpressibleByArgument, CaseIterable { case classic, smooth }

  func validate() throws {
    guard GIFOptions.labelSeconds.contains(idSeconds) else { throw ValidationError("--id-seconds must be 0.5 to 10.") }
  }

  /// The validated options.
  var options: GIFOptions {
    GIFOptions(style: style == .smooth ? .smooth : .classic, labelSeconds: idSeconds) ?? GIFOptions()
  }
}

/// Value of `--sequence`: names of expressions with commas between, among them common words for the same expressions.
enum SequenceOption {
  /// Other words for an expression, which only the command line accepts.
  private static let synonyms = ["kiss": FaceExpression.smooch.text]

  /// Names that are accepted, for help and errors.
  static let names =
    FaceExpression.allCases.map { expression in
      let others = synonyms.filter { $0.value == expression.text }.keys.sorted()
      return others.isEmpty ? expression.text : "\(expression.text) (or \(others.joined(separator: ", ")))"
    }.joined(separator: ", ")

  static let help: ArgumentHelp = "3 to 12 expressions with commas between, no two equal in a row: \(names)."

  /// Parses a value; the error names the step but repeats nothing of the sequence, which may be a secret.
  ///
  /// - Throws: `ValidationError` that says what is wrong and, for an unknown name, which names there are.
  static func parse(_ text: String) throws -> ExpressionSequence {
    let words = text.split(separator: ",", omittingEmptySubsequences: false).map { synonyms[String($0)] ?? String($0) }
    do {
      return try ExpressionSequence(text: words.joined(separator: ","))
    } catch {
      throw ValidationError("--sequence: \(explanation(of: error))")
    }
  }

  private static func explanation(of error: SequenceError) -> String {
    switch error.code {
    case .unknownName: "step \(error.step) is not an expression. The expressions are \(names)."
    case .repeated: "step \(error.step) repeats the expression before it."
    case .tooShort, .tooLong: "a sequence has 3 to 12 expressions."
    default: "\(error)."
    }
  }
}
