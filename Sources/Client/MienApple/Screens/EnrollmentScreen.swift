#if canImport(ARKit) && canImport(UIKit)
  internal import MienViewModels
  internal import SwiftUI

  /// View for a depth enrollment: the person's pseudonym, the camera, the result.
  struct EnrollmentScreen: View {
    let flow: EnrollmentViewModel
    let camera: FaceCamera
    /// Pseudonym of the person, which the checks of this device name too.
    let person: Binding<String>
    @Environment(\.localizer) private var localizer

    var body: some View {
      ScrollView {
        AdaptiveStack {
          if isCapturing {
            CameraBox(height: 420) { FacePreview(camera: camera) }.accessibilityHidden(true)
          }
          VStack(spacing: 16) { words }.readableWidth()
        }
        .padding()
      }
      .navigationTitle(localizer("app.enroll.title"))
      .onDisappear { if isCapturing { flow.stop() } }
    }

    @ViewBuilder private var words: some View {
      if let instruction = flow.instruction {
        Text(localizer(instruction)).font(.title2).accessibilityAddTraits(.updatesFrequently)
          .accessibilityIdentifier("enroll.told")
      }
      switch flow.state {
      case .idle, .done:
        Text(localizer("app.enroll.lead"))
        TextField(localizer("app.enroll.person"), text: person)
          .textFieldStyle(.roundedBorder).textInputAutocapitalization(.never).autocorrectionDisabled()
          .accessibilityIdentifier("enroll.person")
        begin
      case .capturing(let count):
        ProgressView(value: Double(count) / Double(EnrollmentViewModel.captures)).accessibilityHidden(true)
        Button(localizer("check.stop"), role: .cancel) { flow.stop() }.accessibilityIdentifier("enroll.stop")
      case .sending: ProgressView()
      case .problem(let problem):
        ProblemPanel(problem: problem, place: "enroll") { Task { await flow.begin(person: person.wrappedValue) } }
      }
    }

    private var begin: some View {
      Button(localizer("app.enroll.begin")) { Task { await flow.begin(person: person.wrappedValue) } }
        .buttonStyle(.borderedProminent)
        .disabled(!EnrollmentViewModel.isValid(person: person.wrappedValue)).accessibilityIdentifier("enroll.begin")
    }

    private var isCapturing: Bool { if case .capturing = flow.state { true } else { false } }
  }
#endif
