internal import Foundation
internal import NIOCore

/// What a want of file descriptors looks like.
enum Descriptors {
  /// True for an error that says that the process, or the system, can open no more files.
  static func areExhausted(_ error: any Error) -> Bool {
    if let error = error as? IOError { return isWant(error.errnoCode) }
    if let error = error as? POSIXError { return isWant(error.code.rawValue) }
    guard let error = (error as? CocoaError)?.underlying as? POSIXError else { return false }
    return isWant(error.code.rawValue)
  }

  private static func isWant(_ number: CInt) -> Bool { number == EMFILE || number == ENFILE }
}
