#if canImport(ARKit) && canImport(UIKit)
  internal import MienClient
  public import MienViewModels
  internal import MienAPI
  public import SwiftUI

  /// View of a check: camera preview, instructions, result.
  public struct CheckScreen: View {
    private let flow: CheckViewModel
    private let camera: FaceCamera
    private let repeats: Bool
    private let branding: Branding?
    private let user: LivenessUser?
    @Environment(\.localizer) private var localizer
    @Environment(\.scenePhase) private var phase
    @Environment(\.accessibilityReduceMotion) private var isCalm

    /// - Parameters:
    ///   - repeats: `true` if another check can follow; a session is valid for only one.
    ///   - branding: name, color, logo and "powered by" line of the integrator.
    ///   - user: greeted by the first name.
    public init(
      flow: CheckViewModel, camera: FaceCamera, repeats: Bool = true, branding: Branding? = nil,
      user: LivenessUser? = nil
    ) {
      self.branding = branding
      self.user = user
      self.flow = flow
      self.camera = camera
      self.repeats = repeats
    }

    public var body: some View {
      VStack(spacing: 16) {
        if let branding { BrandingHeader(branding: branding) }
        AdaptiveStack {
          if isRunning {
            ZStack {
              FacePreview(camera: camera).accessibilityHidden(true)
              Ellipse().stroke(.white, lineWidth: 3).padding(40).accessibilityHidden(true)
              if let task = flow.step?.task { TaskOverlay(task: task).padding(40).accessibilityHidden(true) }
            }
            .clipShape(RoundedRectangle(cornerRadius: 24))
          }
          VStack(spacing: 16) {
            words
            buttons
          }
          .readableWidth()
        }
        if let branding, branding.showPoweredBy { PoweredBy(branding: branding) }
      }
      .padding()
      .tint(branding?.colorComponents.map { Color(red: $0.x, green: $0.y, blue: $0.z) })
      .background(flow.light.flatMap { Self.color($0) } ?? Color.clear)
      // Colors that fade are what a light task shows; softer for people who prefer less motion.
      .animation(.linear(duration: isCalm ? 0.3 : 0.15), value: flow.light)
      .onChange(of: phase) { _, phase in
        // Frames before and after the interruption are not continuous motion.
        if phase == .background { flow.interrupted() }
      }
      .onDisappear { flow.stop() }
    }

    /// Reads `#rrggbb`.
    private static func color(_ code: String) -> Color? {
      guard code.hasPrefix("#"), code.utf8.count == 7, let value = Int(code.dropFirst(), radix: 16) else { return nil }
      return Color(
        red: Double(value >> 16 & 255) / 255, green: Double(value >> 8 & 255) / 255, blue: Double(value & 255) / 255)
    }

    private var isRunning: Bool { flow.state != .idle && !flow.state.isFinal }

    @ViewBuilder private var words: some View {
      if flow.state == .idle {
        if let user {
          Text(localizer("app.check.greeting", ["name": user.firstName])).font(.headline)
        }
        Text(localizer("welcome.title")).font(.title2)
        Text(localizer("welcome.2.text"))
        Text(localizer("welcome.3.text"))
      } else if let problem, repeats {
        ProblemPanel(problem: problem) { begin() }
      } else if flow.state.isFinal {
        NoticePanel(notices: flow.notices)
      } else {
        if let cover = flow.cover { NoticePanel(notices: [cover]) }
        if let instruction = flow.instruction {
          Text(localizer(instruction)).font(.title2).accessibilityAddTraits(.updatesFrequently)
            .accessibilityIdentifier("check.told")
        }
        if let hint = flow.hint { Text(localizer(hint)) }
        if let window = flow.depthWindow {
          ProgressView(value: window).accessibilityLabel(localizer("scan.depth"))
            .accessibilityIdentifier("check.depth-window")
        } else if let step = flow.step {
          ProgressView(value: Double(min(max(step.progress, 0), 1))).accessibilityHidden(true)
        }
      }
    }

    @ViewBuilder private var buttons: some View {
      if isRunning {
        if flow.canDecline {
          Button(localizer("light.decline")) { Task { await flow.decline() } }
            .accessibilityIdentifier("check.decline")
        }
        Button(localizer("check.stop"), role: .cancel) { flow.stop() }.accessibilityIdentifier("check.stop")
      } else if problem == nil, repeats {
        Button(localizer(flow.state == .idle ? "welcome.begin" : "again.another")) { begin() }
          .buttonStyle(.borderedProminent).accessibilityIdentifier("check.begin")
      }
    }

    private var problem: ViewError? { if case .problem(let problem) = flow.state { problem } else { nil } }

    private func begin() {
      camera.onInterruption { [flow] in Task { @MainActor in flow.interrupted() } }
      Task { await flow.begin() }
    }
  }

  /// Shows the current and the target head direction over a mirrored preview: the user's left is on the left.
  struct TaskOverlay: View {
    let task: TaskResponse

    var body: some View {
      GeometryReader { space in
        ZStack {
          if let target = task.prompt.target, target.count == 2 {
            Circle().stroke(.yellow, lineWidth: 4).frame(width: 56, height: 56)
              .position(place(target, in: space.size))
          }
          if let head = task.prompt.head, head.count == 2 {
            Circle().fill(.yellow).frame(width: 24, height: 24).position(place(head, in: space.size))
          }
        }
      }
      // Left stays left in right-to-left languages.
      .environment(\.layoutDirection, .leftToRight)
    }

    private func place(_ point: [Float], in size: CGSize) -> CGPoint {
      CGPoint(
        x: size.width * CGFloat(0.5 - point[0] * 0.4), y: size.height * CGFloat(0.5 - point[1] * 0.4))
    }
  }
#endif
