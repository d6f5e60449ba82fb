/// Apps that open links of this server: universal links of iOS, App Links of Android.
public struct LinkedApps: Hashable, Sendable {
  /// iOS app: the team's ID, a dot, and the bundle identifier, such as `TEAMID1234.com.example.app`.
  public struct AppleApp: Hashable, Sendable {
    public let id: String

    /// - Returns: `nil` for a text of another form.
    public init?(_ text: String) {
      let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, parts[0].utf8.count == 10, (1...155).contains(parts[1].utf8.count),
        parts[0].utf8.allSatisfy(LinkedApps.isLetterOrDigit),
        parts[1].utf8.allSatisfy({
          LinkedApps.isLetterOrDigit($0) || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-")
        })
      else { return nil }
      id = text
    }
  }

  /// Android app: the package name and the SHA-256 fingerprint of the certificate that signs it.
  public struct AndroidApp: Hashable, Sendable {
    public let package: String
    /// 32 bytes as hexadecimal numbers in capitals, with colons in between.
    public let fingerprint: String

    /// - Parameter text: `com.example.app=14:6D:E9:…`.
    /// - Returns: `nil` for a text of another form.
    public init?(_ text: String) {
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, (1...255).contains(parts[0].utf8.count),
        parts[0].utf8.allSatisfy({
          LinkedApps.isLetterOrDigit($0) || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "_")
        })
      else { return nil }
      let bytes = parts[1].split(separator: ":", omittingEmptySubsequences: false)
      guard bytes.count == 32,
        bytes.allSatisfy({ $0.utf8.count == 2 && UInt8($0, radix: 16) != nil && !$0.contains("+") })
      else { return nil }
      package = String(parts[0])
      fingerprint = parts[1].uppercased()
    }
  }

  public var apple: [AppleApp]
  public var android: [AndroidApp]

  public init(apple: [AppleApp] = [], android: [AndroidApp] = []) {
    self.apple = apple
    self.android = android
  }

  private static func isLetterOrDigit(_ character: UInt8) -> Bool {
    switch character {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: false
    }
  }
}
