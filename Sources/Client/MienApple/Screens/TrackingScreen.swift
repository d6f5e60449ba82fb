#if canImport(ARKit) && canImport(UIKit)
  internal import MienViewModels
  internal import SwiftUI

  /// View for recording this device's face tracking data to a file that the user can share.
  struct TrackingScreen: View {
    let recorder: TrackingRecorder
    let tracker: FaceTracker
    let share: @MainActor (SharedFile) -> Void
    @Environment(\.localizer) private var localizer

    var body: some View {
      VStack(spacing: 16) {
        Text(localizer("app.tracking.lead"))
        switch recorder.state {
        case .idle: begin
        case .recording(let lines):
          RoomPreview(session: tracker.session).clipShape(RoundedRectangle(cornerRadius: 24))
            .accessibilityHidden(true)
          Text(localizer("app.tracking.moments", ["number": "\(lines)"])).accessibilityAddTraits(.updatesFrequently)
          coefficients
          Button(localizer("check.stop")) { recorder.stop() }
            .buttonStyle(.borderedProminent).accessibilityIdentifier("tracking.stop")
        case .done(let lines):
          Text(localizer("app.tracking.moments", ["number": "\(lines)"]))
          Button(localizer("app.tracking.share")) { if let file = recorder.recorded { share(file) } }
            .buttonStyle(.borderedProminent).accessibilityIdentifier("tracking.share")
          Button(localizer("scan.depth.clear"), role: .destructive) { recorder.discard() }
            .accessibilityIdentifier("tracking.discard")
        case .problem(let problem):
          ProblemPanel(problem: problem) { Task { await recorder.record() } }
        }
      }
      .padding()
      .navigationTitle(localizer("app.tracking.title"))
      .onDisappear { recorder.stop() }
    }

    /// Live values for tuning; ARKit's own names, which are not localized.
    private var coefficients: some View {
      ScrollView {
        ForEach(recorder.values) { coefficient in
          HStack {
            Text(coefficient.name).font(.footnote)
            Spacer()
            Text(coefficient.value.formatted(.number.precision(.fractionLength(2)))).font(.footnote)
              .foregroundStyle(coefficient.value > 0.5 ? Color.green : Color.secondary)
          }
          .accessibilityElement(children: .combine)
        }
      }
      .accessibilityIdentifier("tracking.values")
    }

    private var begin: some View {
      Button(localizer("app.tracking.begin")) { Task { await recorder.record() } }
        .buttonStyle(.borderedProminent).accessibilityIdentifier("tracking.begin")
    }
  }
#endif
