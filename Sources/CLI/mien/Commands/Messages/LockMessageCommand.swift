import ArgumentParser
import Foundation
import MienAPI
import MienClient
import MienExpressions
import MienFiles

/// `mien lock`: creates a message on a server, locked with a sequence of expressions.
struct LockMessageCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lock", abstract: "Lock a message on a server with a sequence of expressions.",
    discussion: """
      Examples:
        mien lock "meet me at nine" --sequence smile,wink_l,smooch -o message.gif
        mien lock - --sequence smile,kiss,wink_r --mode secret --views 1 < note.txt

      Prints the message ID and, on a second line, the receipt with which `mien revoke` deletes the message; it is shown
      only once. With --requires-link, a third line is the link, which is shown only once, too. Pass - to read the text from standard input, because other users of this machine can see arguments. Exit status: 0 locked,
      1 locked but the GIF was not written, 2 not locked, 64 usage error.
      """)

  enum Mode: String, ExpressibleByArgument, CaseIterable { case open, secret }

  @Argument(help: "Text of 1 to 100 characters, or - for standard input.")
  var text: String
  @Option(help: SequenceOption.help)
  var sequence: String
  @Option(help: "open: the GIF shows the sequence; secret: it does not, and you share the sequence another way.")
  var mode = Mode.open
  @Option(help: "Avatar: bear or fox.")
  var avatar = "bear"
  @Option(help: "Wrong attempts allowed, 1 to 100 (default: 10).")
  var attempts: Int?
  @Option(
    help: """
      Seconds until another attempt once all are used, doubling each time up to a day (default: one hour).
      """)
  var firstWait: Int?
  @Option(help: "How often the message can be opened, 1 to 100 (default: unlimited).")
  var views: Int?
  @Option(help: "Seconds until the message expires, 60 to 31622400 (default: 30 days).")
  var expiresIn: Int?
  @Flag(
    inversion: .prefixedNo,
    help: """
      Require camera frames to open it; otherwise claimed observations can, too, if the server allows them.
      """)
  var requiresFrames = true
  @Flag(help: "Reject frames that look replayed.")
  var requiresPassive = false
  @Flag(help: "Let only the holder of the link open it, not everybody who sees the GIF; prints the link.")
  var requiresLink = false
  @Option(name: .shortAndLong, help: "Write the GIF to this file.", completion: .file())
  var output: String?
  @OptionGroup var look: GIFOptionGroup
  @Flag(help: "Print the server's response as JSON.")
  var json = false
  @OptionGroup var server: RemoteServerOptions

  func validate() throws {
    _ = try SequenceOption.parse(sequence)
    guard text != "-" || server.key != "-" else { throw ValidationError("Standard input cannot be both text and key.") }
  }

  func run() async throws {
    try await Terminal.reportingRequests(to: server) { try await lock() }
  }

  private func lock() async throws {
    let client = try server.messages()
    var options = CreateMessageRequest(
      text: try words(), steps: try SequenceOption.parse(sequence).steps.map(\.text))
    options.mode = mode.rawValue
    options.avatar = avatar
    options.attempts = attempts
    options.firstWait = firstWait
    options.views = views
    options.expiresIn = expiresIn
    options.requiresFrames = requiresFrames ? nil : false
    options.requiresPassive = requiresPassive ? true : nil
    options.requiresLink = requiresLink ? true : nil
    let message = try await client.lock(options)
    // Printed before anything else can fail: the receipt cannot be retrieved again.
    if json {
      try Terminal.say(JSONText.make(message))
    } else {
      try Terminal.say(message.id)
      if let receipt = message.receipt { try Terminal.say(receipt) }
      if let key = message.linkKey { try Terminal.say(try link(message.id, key)) }
    }
    guard let output else { return }
    do {
      let gif = try await client.gif(of: message.id, style: look.style.rawValue, idSeconds: look.idSeconds)
      try Data(gif).write(to: URL(fileURLWithPath: output), options: .atomic)
    } catch {
      let why = (error as? ClientError)?.detail ?? error.fileReason
      Terminal.note("The message is locked; its GIF is not in \(output): \(why)")
      throw ExitCode(1)
    }
  }

  private func link(_ id: String, _ key: String) throws -> String {
    let page = try server.address().appendingPathComponent("decode").absoluteString
    return "\(page)#\(id)/\(key)"
  }

  /// Returns the text; from standard input, without the trailing newline that a shell adds.
  private func words() throws -> String {
    guard text == "-" else { return text }
    guard var words = String(validating: try StandardInput.bytes(upTo: 8192), as: UTF8.self) else {
      throw OperationError("standard input is no UTF-8 text.")
    }
    // A CRLF sequence is one `Character`.
    if words.last?.isNewline == true { words.removeLast() }
    return words
  }
}
