import Foundation
import MienAvatars
import MienFileAnalysis
import MienFiles

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
