import ArgumentParser
import Foundation
import MienClient
import MienExpressions
import MienWire

/// `mien lock`: a text under a sequence of expressions, on a server.
struct LockMessage: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lock", abstract: "Lock a message with a sequence of expressions, on a server.",
    discussion: """
      Prints the message's number and, on a second line, the receipt that deletes it: it is shown only now. Write - to
      read the text from standard input; other people on this machine can see arguments. Exit 0 locked, 1 locked but
      without the GIF's file, 2 not locked, 64 usage.
      """)

  enum Mode: String, ExpressibleByArgument, CaseIterable { case open, secret }

  @Argument(help: "The text, 1 to 100 characters, or - for standard input.")
  var text: String
  @Option(help: "The expressions, for example smile,wink_l,surprise: 3 to 12, never the same twice in a row.")
  var sequence: String
  @Option(help: "open: the GIF shows the sequence; secret: it only idles, and the sequence travels by another way.")
  var mode = Mode.open
  @Option(help: "bear or fox.")
  var avatar = "bear"
  @Option(help: "How many wrong attempts there are, 1 to 100 (default: 10).")
  var attempts: Int?
  @Option(
    help: """
      Seconds to wait for one more attempt when they are used up, doubling each time up to a day (default: an hour).
      """)
  var firstWait: Int?
  @Option(help: "How often it may be opened, 1 to 100; left out: without end.")
  var views: Int?
  @Option(help: "How many seconds it stays, 60 to 31622400 (default: 30 days).")
  var expiresIn: Int?
  @Flag(
    inversion: .prefixedNo,
    help: """
      Only frames of a camera open it; otherwise also what a device claims to have seen, which the server must allow.
      """)
  var requiresFrames = true
  @Flag(help: "Frames that look replayed do not open it either.")
  var requiresPassive = false
  @Option(name: .shortAndLong, help: "The file to write the GIF to.", completion: .file())
  var output: String?
  @Flag(help: "Print what the server says as JSON.")
  var json = false
  @OptionGroup var place: ServerPlace

  func validate() throws {
    do {
      _ = try ExpressionSequence(text: sequence)
    } catch {
      throw ValidationError("--sequence: \(error).")
    }
    guard text != "-" || place.key != "-" else { throw ValidationError("Standard input cannot be both text and key.") }
  }

  func run() async throws {
    try await Terminal.asking(place) { try await lock() }
  }

  private func lock() async throws {
    let desk = try place.messages()
    var wish = CreateMessageRequest(
      text: try words(), steps: try ExpressionSequence(text: sequence).steps.map(\.text))
    wish.mode = mode.rawValue
    wish.avatar = avatar
    wish.attempts = attempts
    wish.firstWait = firstWait
    wish.views = views
    wish.expiresIn = expiresIn
    wish.requiresFrames = requiresFrames ? nil : false
    wish.requiresPassive = requiresPassive ? true : nil
    let message = try await desk.lock(wish)
    // Said before anything else can fail: there is no second chance to get the receipt.
    if json {
      try Terminal.say(JSONText.make(message))
    } else {
      try Terminal.say(message.id)
      if let receipt = message.receipt { try Terminal.say(receipt) }
    }
    guard let output else { return }
    do {
      let gif = try await desk.gif(of: message.id)
      try Data(gif).write(to: URL(fileURLWithPath: output), options: .atomic)
    } catch {
      let why = (error as? ClientError)?.detail ?? Terminal.reason(error)
      Terminal.note("The message is locked; its GIF is not in \(output): \(why)")
      throw ExitCode(1)
    }
  }

  /// The text; of standard input without the line's end that a shell adds.
  private func words() throws -> String {
    guard text == "-" else { return text }
    guard var words = String(validating: try StandardInput.bytes(upTo: 8192), as: UTF8.self) else {
      throw ToolError("standard input is no UTF-8 text.")
    }
    // One character, also where the shell ends lines with two.
    if words.last?.isNewline == true { words.removeLast() }
    return words
  }
}
