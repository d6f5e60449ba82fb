internal import Foundation

/// Input files of commands and of the server.
package enum InputFile {
  /// Returns the contents of a file.
  ///
  /// - Throws: ``OperationError`` if it does not exist or cannot be read.
  package static func bytes(_ path: String) throws -> [UInt8] {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw OperationError("\(path) does not exist or cannot be read.")
    }
    return [UInt8](data)
  }

  /// Reports whether something exists at a path.
  package static func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }
}

extension Error {
  /// Description of an ``OperationError``, or the system's of a file error.
  package var fileReason: String {
    if let error = self as? OperationError { return error.description }
    let underlying = (self as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
    guard let code = underlying.flatMap({ Int32(exactly: $0.code) }), underlying?.domain == NSPOSIXErrorDomain else {
      return localizedDescription
    }
    return POSIXError.Code(rawValue: code).map { POSIXError($0).localizedDescription } ?? localizedDescription
  }
}

/// Error that ends an operation, with a message for the operator.
package struct OperationError: Error, CustomStringConvertible {
  package let description: String
  package init(_ description: String) { self.description = description }
}
