internal import MienPlatform

extension Error {
  /// Text for the log: the reason of a ``StoreError``; of other errors only the type, since their text may identify a
  /// check, a capture or a file.
  var logText: String { (self as? StoreError)?.reason ?? "\(type(of: self))" }
}
