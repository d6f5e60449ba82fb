#if canImport(ARKit) && canImport(UIKit)
  internal import MienViewModels
  public import SwiftUI
  internal import UIKit

  /// Title, text and recovery steps of a notice.
  struct NoticePanel: View {
    let notices: [ViewNotice]
    @Environment(\.localizer) private var localizer

    var body: some View {
      VStack(alignment: .leading, spacing: 8) {
        if let notice = localizer.notice(notices) {
          Text(localizer(notice.title)).font(.headline)
          if localizer.has(notice.text) { Text(localizer(notice.text)) }
          ForEach(localizer.steps(notice), id: \.self) { Text($0).font(.subheadline) }
        }
      }
      .frame(maxWidth: .infinity, alignment: .leading)
      .accessibilityElement(children: .combine)
    }
  }

  /// Error notice with a button for its recovery action.
  struct ProblemPanel: View {
    let problem: ViewError
    /// `messages` for the part of the app with separate error texts, otherwise `nil`.
    var place: String?
    let proceed: @MainActor () -> Void
    @Environment(\.localizer) private var localizer
    @Environment(\.openURL) private var openURL

    var body: some View {
      VStack(spacing: 12) {
        NoticePanel(notices: problem.notices(in: place))
        switch problem.recovery {
        case .settings:
          Button(localizer("app.settings")) {
            if let settings = URL(string: UIApplication.openSettingsURLString) { openURL(settings) }
          }
          .accessibilityIdentifier("trouble.settings")
          again
        case .without:
          Button(localizer("scan.go-on"), action: proceed).accessibilityIdentifier("trouble.without")
        case .again, .wait, .freeSpace, .signIn, .leave: again
        }
      }
      .buttonStyle(.borderedProminent)
    }

    private var again: some View {
      Button(localizer("again.try"), action: proceed).accessibilityIdentifier("trouble.again")
    }
  }

  private struct LocalizerKey: EnvironmentKey {
    static let defaultValue = Localizer(language: "en", texts: nil)
  }

  extension EnvironmentValues {
    /// Localizer for all views below.
    public var localizer: Localizer {
      get { self[LocalizerKey.self] }
      set { self[LocalizerKey.self] = newValue }
    }
  }
#endif
