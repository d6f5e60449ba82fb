#if canImport(ARKit) && canImport(UIKit)
  internal import MienViewModels
  internal import SwiftUI

  /// Introduction to locked messages, shown before the first one: what they are, and how each expression is made.
  struct TourScreen: View {
    let avatar: String
    let done: @MainActor () -> Void
    @Environment(\.localizer) private var localizer

    var body: some View {
      ScrollView {
        VStack(alignment: .leading, spacing: 16) {
          Text(localizer("messages.tour.title")).font(.title2)
          Text(localizer("messages.tour.lead"))
          ForEach(AvatarExpressions.names, id: \.self) { name in
            HStack(spacing: 12) {
              AvatarExpressions.image(name, of: avatar).frame(width: 72, height: 72)
              VStack(alignment: .leading) {
                Text(localizer("expression.\(name)")).font(.headline)
                Text(localizer("expression.\(name).how"))
              }
            }
            .accessibilityElement(children: .combine)
          }
          Text(localizer("messages.tour.relax"))
          Button(localizer("messages.tour.done"), action: done)
            .buttonStyle(.borderedProminent).accessibilityIdentifier("tour.done")
        }
        .padding()
      }
    }
  }

  /// Pictures of an avatar's expressions in the app's asset catalog, which `make-assets` cuts out of the sprite sheets.
  enum AvatarExpressions {
    /// In the order of the sprite sheet.
    static let names = ["wink_l", "tongue_out", "surprise", "wink_r", "smile", "smooch"]

    @MainActor static func image(_ name: String, of avatar: String) -> some View {
      Image("\(avatar)-\(name)").resizable().scaledToFit()
    }
  }

  /// All six expressions of an avatar.
  struct ExpressionGrid: View {
    let avatar: String
    @Environment(\.localizer) private var localizer

    var body: some View {
      LazyVGrid(columns: [GridItem(.adaptive(minimum: 88))], spacing: 8) {
        ForEach(AvatarExpressions.names, id: \.self) { name in
          VStack {
            AvatarExpressions.image(name, of: avatar).frame(width: 80, height: 80).accessibilityHidden(true)
            Text(localizer("expression.\(name)")).font(.footnote)
          }
        }
      }
    }
  }
#endif
