internal import Foundation

extension Error {
  /// System's description of a file error.
  package var fileReason: String {
    let underlying = (self as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
    guard let code = underlying.flatMap({ Int32(exactly: $0.code) }), underlying?.domain == NSPOSIXErrorDomain else {
      return localizedDescription
    }
    return POSIXError.Code(rawValue: code).map { POSIXError($0).localizedDescription } ?? localizedDescription
  }
}
