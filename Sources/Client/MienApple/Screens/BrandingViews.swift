#if canImport(ARKit) && canImport(UIKit)
  internal import Foundation
  internal import MienClient
  internal import SwiftUI

  /// Name and logo of the integrator. Nothing is downloaded from other than the address that the integrator chose.
  struct BrandingHeader: View {
    let branding: Branding
    @Environment(\.horizontalSizeClass) private var width

    var body: some View {
      HStack(spacing: 8) {
        // A phone in portrait orientation has a compact width.
        if let logo = branding.logo.flatMap({ URL(string: $0) }), !(branding.hideLogoOnMobile && width == .compact) {
          RemoteLogo(address: logo, height: 32).accessibilityLabel(branding.logoAlt)
        }
        if let name = branding.name { Text(name).font(.headline) }
      }
    }
  }

  /// Line at the bottom of a check.
  struct PoweredBy: View {
    let branding: Branding

    var body: some View {
      HStack(spacing: 4) {
        Text(branding.poweredByText).font(.footnote)
        if let logo = branding.poweredByLogo.flatMap({ URL(string: $0) }) {
          RemoteLogo(address: logo, height: 16).accessibilityHidden(true)
        }
      }
      .foregroundStyle(.secondary)
    }
  }

  /// Image from an address; nothing until it has been loaded.
  private struct RemoteLogo: View {
    let address: URL
    let height: CGFloat

    var body: some View {
      AsyncImage(url: address) { image in
        image.resizable().scaledToFit()
      } placeholder: {
        EmptyView()
      }
      .frame(height: height)
    }
  }
#endif
