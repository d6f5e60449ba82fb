import ArgumentParser
import Foundation
import MienAvatars
import MienClient
import MienFileAnalysis
import MienFiles

/// `mien revoke`: deletes a locked message for its sender.
struct RevokeMessageCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "revoke", abstract: "Delete a message that you locked, so that nobody can open it any more.",
    discussion: """
      Examples:
        mien revoke message.gif --receipt receipt.txt
        mien revoke 7ZK4-2M9D-XQ0A-B3F8 --receipt - < receipt.txt

      Exit status: 0 deleted, 2 not deleted, 64 usage error.
      """)

  @Argument(help: "Message ID, its link, or a file that contains the ID: the GIF, or an image or video of it.")
  var message: String
  @Option(help: "File with the receipt that `mien lock` printed; - reads it from standard input.")
  var receipt: String
  @OptionGroup var server: RemoteServerOptions

  func run() async throws {
    try await Terminal.reportingRequests(to: server) {
      let secret = try RemoteServerOptions.secret(in: receipt, "receipt")
      let link = try await MessageArgument.link(message)
      try await MessageClient(server: server.address()).delete(link.id.text, receipt: secret)
    }
  }
}

/// Argument that names a message: its ID, its link, or a file that shows the ID.
enum MessageArgument {
  /// Returns the message's ID, and the key of its link if the argument contains one.
  ///
  /// - Throws: ``OperationError`` if it is none of these.
  static func link(_ text: String) async throws -> MessageLink {
    if let link = MessageLink(text: text) { return link }
    guard FileManager.default.fileExists(atPath: text) else {
      throw OperationError("\(text) is neither a message's number or link nor a file.")
    }
    guard let code = try await MessageIDInput.read(text).code else {
      throw OperationError("\(text) shows no message's number.")
    }
    return MessageLink(id: code)
  }
}
