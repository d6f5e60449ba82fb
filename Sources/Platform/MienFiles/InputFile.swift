internal import Foundation

/// Input files of commands and of the server.
package enum InputFile {
  /// Returns the contents of a file.
  ///
  /// - Throws: ``OperationError`` if it does not exist or cannot be read.
  package static func bytes(_ path: String) throws -> [UInt8] {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw OperationError("\(path) is not there or cannot be read.")
    }
    return [UInt8](data)
  }
}
