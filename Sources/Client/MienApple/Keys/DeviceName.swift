#if canImport(ARKit) && canImport(UIKit)
  internal import Foundation

  /// Hardware model identifier, for example `iPhone14,2`.
  enum DeviceName {
    static var model: String {
      var facts = utsname()
      guard unsafe uname(&facts) == 0 else { return "" }
      return unsafe withUnsafeBytes(of: &facts.machine) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
    }
  }
#endif
