internal import MienPlatform
internal import MienServer

extension Error {
  /// Text for the log: that of errors whose text concerns the server's own storage and certificate; of other errors only
  /// the type, since their text may identify a check, a capture or a file.
  var logText: String {
    switch self {
    case let error as StoreError: error.reason
    case let error as TLSFilesError: error.description
    default: "\(type(of: self))"
    }
  }
}
