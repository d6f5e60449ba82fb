#if canImport(ARKit) && canImport(UIKit)
  public import SwiftUI

  private struct PenKey: EnvironmentKey {
    static let defaultValue = Pen(language: "en", texts: nil)
  }

  extension EnvironmentValues {
    /// Writes the texts of all screens below.
    public var pen: Pen {
      get { self[PenKey.self] }
      set { self[PenKey.self] = newValue }
    }
  }
#endif
