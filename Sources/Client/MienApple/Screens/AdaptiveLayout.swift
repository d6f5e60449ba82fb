#if canImport(ARKit) && canImport(UIKit)
  internal import SwiftUI

  /// Parts of a screen: one below the other, or side by side where the window is wide, as on an iPad.
  ///
  /// The parts keep their state when the window changes its size.
  struct AdaptiveStack<Content: View>: View {
    @ViewBuilder let content: Content
    @Environment(\.horizontalSizeClass) private var width

    var body: some View {
      let layout =
        width == .regular
        ? AnyLayout(HStackLayout(alignment: .top, spacing: 32)) : AnyLayout(VStackLayout(spacing: 16))
      layout { content }
    }
  }

  /// Picture of a camera with rounded corners, higher where the window is wide.
  struct CameraBox<Content: View>: View {
    /// Height in points in a narrow window.
    let height: CGFloat
    @ViewBuilder let content: Content
    @Environment(\.horizontalSizeClass) private var width

    var body: some View {
      content.frame(height: width == .regular ? max(height, 600) : height)
        .clipShape(RoundedRectangle(cornerRadius: 24))
    }
  }

  extension View {
    /// Limits lines to a length that is comfortable to read, in the middle of a wide window.
    func readableWidth() -> some View {
      frame(maxWidth: 640).frame(maxWidth: .infinity)
    }
  }
#endif
