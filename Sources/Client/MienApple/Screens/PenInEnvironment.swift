#if canImport(ARKit) && canImport(UIKit)
  public import SwiftUI

  private struct PenKey: EnvironmentKey {
    static let defaultValue = Localizer(language: "en", texts: nil)
  }

  extension EnvironmentValues {
    /// Localizer for all views below.
    public var localizer: Localizer {
      get { self[PenKey.self] }
      set { self[PenKey.self] = newValue }
    }
  }
#endif
