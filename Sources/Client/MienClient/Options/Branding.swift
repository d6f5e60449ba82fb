/// Branding values for the app's user interface. This module neither draws nor downloads anything.
public struct Branding: Codable, Hashable, Sendable {
  /// Brand name.
  public var name: String?
  /// Color as hexadecimal text, for example `#0b5fff`.
  public var color: String?
  /// URL of the logo.
  public var logo: String?
  /// Accessibility label of the logo.
  public var logoAlt: String
  /// Hides the logo on small screens.
  public var hideLogoOnMobile: Bool
  /// Shows the "powered by" line.
  public var showPoweredBy: Bool
  public var poweredByText: String
  /// URL of the logo in the "powered by" line.
  public var poweredByLogo: String?

  public init(
    name: String? = nil, color: String? = nil, logo: String? = nil, logoAlt: String? = nil,
    hideLogoOnMobile: Bool = false, showPoweredBy: Bool = false, poweredByText: String = "Powered by",
    poweredByLogo: String? = nil
  ) {
    self.name = name
    self.color = color
    self.logo = logo
    self.logoAlt = logoAlt ?? name ?? "Mien"
    self.hideLogoOnMobile = hideLogoOnMobile
    self.showPoweredBy = showPoweredBy
    self.poweredByText = poweredByText
    self.poweredByLogo = poweredByLogo
  }
}

extension Branding {
  /// ``color`` as red, green and blue in 0…1, or `nil` if it is not `#rgb` or `#rrggbb` (the `#` is optional).
  public var colorComponents: SIMD3<Double>? {
    guard var digits = color?.drop(while: { $0 == "#" }), digits.allSatisfy(\.isHexDigit) else { return nil }
    if digits.count == 3 { digits = Substring(digits.map { "\($0)\($0)" }.joined()) }
    guard digits.count == 6, let value = UInt32(digits, radix: 16) else { return nil }
    return SIMD3(Double(value >> 16 & 255), Double(value >> 8 & 255), Double(value & 255)) / 255
  }
}
