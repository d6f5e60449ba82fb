internal import Foundation
internal import NIOCore

/// Detection of errors caused by a lack of file descriptors.
enum Descriptors {
  /// Returns `true` for an error that reports that the process or the system cannot open more files.
  static func areExhausted(_ error: any Error) -> Bool {
    if let error = error as? IOError { return isDescriptorShortage(error.errnoCode) }
    if let error = error as? POSIXError { return isDescriptorShortage(error.code.rawValue) }
    guard let error = (error as? CocoaError)?.underlying as? POSIXError else { return false }
    return isDescriptorShortage(error.code.rawValue)
  }

  private static func isDescriptorShortage(_ number: CInt) -> Bool { number == EMFILE || number == ENFILE }
}
