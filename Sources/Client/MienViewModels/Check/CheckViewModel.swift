internal import MienAPI
public import MienClient
internal import MienCore
public import Observation

/// View model of a liveness check: idle, instructing, tracking, success, failure, timeout.
///
/// The server decides the check; the view model shows the server's steps, and errors that prevent the check.
@MainActor @Observable public final class CheckViewModel {
  public enum State: Hashable, Sendable {
    /// Not started. Next: `starting`.
    case idle
    /// Waiting for the camera. Next: `positioning` or `problem`.
    case starting
    /// The face must move into the oval. Next: `instructing`, or a final state.
    case positioning
    /// The device's depth captures are measured, for five seconds at most. Next: `instructing`, or a final state.
    case measuring
    /// The next task is announced. Next: `tracking`, or a final state.
    case instructing
    /// The user performs a task. Next: `positioning` (for another attempt), or a final state.
    case tracking
    case success
    /// Failed, with the server's reason.
    case failure(String)
    case timedOut
    /// The check could not be performed.
    case problem(ViewError)

    /// `true` if the check is over.
    public var isFinal: Bool {
      switch self {
      case .success, .failure, .timedOut, .problem: true
      case .idle, .starting, .positioning, .measuring, .instructing, .tracking: false
      }
    }
  }

  public private(set) var state = State.idle
  /// Last step received from the server.
  public private(set) var step: LivenessStep?
  /// Notice shown over the camera while the check retries: `unreachable` or `busy`.
  public private(set) var cover: ViewNotice?
  /// Result of the check.
  public private(set) var data: LivenessData?
  /// Soft color to show on the whole screen, `#rrggbb`; `nil` outside a light task.
  public private(set) var light: String?

  private let network: FlowNetwork
  private let camera: any FlowCamera
  private let effects: EffectHandler
  private let options: LivenessOptions
  private var session: Liveness.SessionSource
  /// Error of the last request for a session.
  private var sessionError: (any Error)?
  private var run: LivenessSession?
  /// Shows the colors that the last step announced.
  private var colors: Task<Void, Never>?
  /// Number of the color on the screen; `nil` outside a light task.
  private var colorNumber: Int?
  /// `true` once the check has asked for another task because a color was late.
  private var wasTooSlow = false
  /// Number of starts. A start that was waiting while another one began compares it and stops.
  private var turn = 0

  public init(
    network: FlowNetwork, camera: any FlowCamera, effects: EffectHandler, options: LivenessOptions = LivenessOptions(),
    session: Liveness.SessionSource
  ) {
    self.network = network
    self.camera = camera
    self.effects = effects
    self.options = options
    self.session = session
  }

  /// Performs a check that the app was opened for, for example by a link.
  public func begin(session: CheckSession) async {
    stop()
    let usual = self.session
    self.session = .given(session)
    await begin()
    self.session = usual
  }

  /// Performs the check of a QR code, whose secret the server exchanges for its token.
  public func begin(id: String, secret: String) async {
    stop()
    let account = network.account
    let usual = session
    session = .asked { _ in try await account.session(of: id, secret: secret) }
    await begin()
    session = usual
  }

  /// Share of the depth window that is left, 0…1; `nil` while no depth is measured.
  public var depthWindow: Double? {
    guard state == .measuring, let step else { return nil }
    return min(1, max(0, step.remaining.inSeconds / Self.depthSeconds))
  }

  /// Length of the depth window in seconds (Documentation/reference/DepthGate.md).
  static let depthSeconds = 5.0

  /// Performs the check, from the camera permission to its end.
  public func begin() async {
    guard state == .idle || state.isFinal else { return }
    turn += 1
    let mine = turn
    (state, step, cover, data, sessionError) = (.starting, nil, nil, nil, nil)
    wasTooSlow = false
    let source: any FrameSource
    do {
      source = try await camera.opened()
    } catch {
      if mine == turn, state == .starting { end(.problem(network.problem(error))) }
      return
    }
    guard mine == turn, state == .starting else { return await source.close() }
    var liveness = Liveness(server: LivenessServer(network.server), options: options, session: observed(session))
    liveness.transport = network.transport
    liveness.clock = network.clock
    liveness.client = network.client
    let run = liveness.run(camera: source)
    self.run = run
    for await progress in run where mine == turn { show(progress) }
    do {
      let data = try await run.result()
      guard mine == turn else { return }
      self.data = data
      if state != .idle, !state.isFinal { end(state(of: data)) }
    } catch {
      guard mine == turn else { return }
      if !state.isFinal { end(.idle) }
    }
    self.run = nil
  }

  /// Ends the check and closes the camera.
  public func stop() {
    run?.close()
    run = nil
    (state, step, cover) = (.idle, nil, nil)
    show(nil as LightColors?)
  }

  /// `true` if the user can ask for another task in the place of changing colors.
  public var canDecline: Bool { step?.light?.canDecline == true && !state.isFinal }

  /// Asks for another task in the place of changing colors. Nothing changes if the server cannot be reached.
  public func decline() async { try? await run?.decline() }

  /// Ends the check after a phone call or a switch to another app: frames before and after it are not continuous
  /// motion.
  public func interrupted() {
    guard state != .idle, !state.isFinal else { return }
    run?.close()
    run = nil
    end(.problem(.interrupted))
  }

  /// Current instruction.
  public var instruction: LocalizedText? {
    switch state {
    case .idle: nil
    case .starting: LocalizedText("check.starting")
    case .positioning, .measuring, .instructing, .tracking: step.map(StepLocalization.instruction)
    case .success: LocalizedText("passed.title")
    case .failure, .timedOut, .problem: notices.first?.title
    }
  }

  /// First framing hint, or `nil`.
  public var hint: LocalizedText? { step?.hints.first.map { LocalizedText("hint.\($0.rawValue)") } }

  /// Notices for the final state, most specific first.
  public var notices: [ViewNotice] {
    switch state {
    case .success: [ViewNotice("passed")]
    case .failure(let reason): [ViewNotice("reason.\(reason)"), ViewNotice("reason.unknown")]
    case .timedOut: [ViewNotice("reason.timed-out")]
    case .problem(let problem): problem.notices()
    case .idle, .starting, .positioning, .measuring, .instructing, .tracking: []
    }
  }

  private func show(_ progress: LivenessProgress) {
    guard state != .idle, !state.isFinal else { return }
    switch progress {
    case .unreachable: cover = Self.cover("cover.unreachable")
    case .busy: cover = Self.cover("cover.busy")
    case .step(let step):
      let before = instruction
      cover = nil
      self.step = step
      show(step.light)
      switch step.phase {
      case .positioning: state = .positioning
      case .depth: state = .measuring
      case .instructing: state = .instructing
      case .tracking: state = .tracking
      case .passed: return end(.success)
      case .failed: return end(.failure(step.reason ?? "unknown"))
      case .timedOut: return end(.timedOut)
      }
      if options.allowAudio, let instruction, instruction != before { effects.say(instruction) }
    }
  }

  /// Shows the color of a step now, and those that it announces at their time.
  private func show(_ light: LightColors?) {
    colors?.cancel()
    self.light = light?.color
    guard let light else {
      colorNumber = nil
      return
    }
    // Another attempt begins with the first color again.
    if light.number == 0 { colorNumber = colorNumber.map { min($0, 0) } }
    shown(light.number, overdue: light.overdue)
    guard !light.next.isEmpty else { return }
    colors = Task { [clock = network.clock] in
      let began = clock.now()
      for (place, change) in light.next.enumerated() {
        let wait = change.after.inSeconds - clock.now().since(began).inSeconds
        if wait > 0 { try? await clock.sleep(for: .seconds(wait)) }
        guard !Task.isCancelled else { return }
        self.light = change.color
        shown(
          light.number + 1 + place,
          overdue: .seconds(clock.now().since(began).inSeconds - change.after.inSeconds))
      }
    }
  }

  /// Asks for another task, once a check, if a color was skipped or came too late: the server would see another light.
  private func shown(_ number: Int, overdue: Interval) {
    let before = colorNumber ?? 0
    guard number > before || colorNumber == nil else { return }
    colorNumber = number
    guard number > before + 1 || (number > 0 && overdue > LightColors.latest), canDecline, !wasTooSlow else { return }
    wasTooSlow = true
    Task { await decline() }
  }

  private func end(_ end: State) {
    state = end
    show(nil as LightColors?)
    switch end {
    case .success: effects.feel(.success)
    case .failure, .timedOut, .problem: effects.feel(.failure)
    case .idle, .starting, .positioning, .measuring, .instructing, .tracking: return
    }
    if options.allowAudio, let instruction { effects.say(instruction) }
  }

  /// Returns a notice whose text is stored under the bare key, as on the web pages.
  private static func cover(_ key: String) -> ViewNotice {
    var notice = ViewNotice(key)
    notice.text = LocalizedText(key)
    return notice
  }

  /// Keeps the error of a request for a session, which the result of the check does not contain.
  private func observed(_ session: Liveness.SessionSource) -> Liveness.SessionSource {
    guard case .asked(let ask) = session else { return session }
    return .asked { request in
      do {
        return try await ask(request)
      } catch {
        await MainActor.run { self.sessionError = error }
        throw error
      }
    }
  }

  private func state(of data: LivenessData) -> State {
    guard !data.passed else { return .success }
    let reason = data.reason ?? "unknown"
    switch reason {
    case "timed-out": return .timedOut
    case "no-frames": return .problem(.cameraLost)
    case "no-session":
      if let error = sessionError as? ClientError { return .problem(network.problem(error)) }
      return .problem(ViewError(code: "session", recovery: .again))
    case ClientError.Code.unreachable.text, ClientError.Code.unreadable.text:
      return .problem(network.isOnline ? .unreachable : .offline)
    default:
      return data.error?.key == .taskFailed ? .failure(reason) : .problem(ViewError(code: reason, recovery: .again))
    }
  }
}

/// Text keys of a step, chosen as on the web pages (`Web/assets/core/step-text.js`).
enum StepLocalization {
  static func instruction(_ step: LivenessStep) -> LocalizedText {
    if let task = step.task, task.kind != "head-turn", step.phase != .positioning, !general.contains(step.instruction) {
      return instruction(task)
    }
    let plain = "instruction.\(step.instruction)"
    guard let side = step.side, sided.contains(step.instruction) else { return LocalizedText(plain) }
    return LocalizedText("\(plain).\(side.rawValue)")
  }

  private static func instruction(_ task: TaskResponse) -> LocalizedText {
    let plain = "instruction.\(task.kind)"
    switch task.kind {
    case "complete-the-circle":
      guard let direction = task.prompt.direction, direction != "any" else { return LocalizedText(plain) }
      return LocalizedText("\(plain).\(direction)")
    // Between two questions the head returns to the upright position.
    case "yes-or-no": return task.prompt.question.map(LocalizedText.own) ?? LocalizedText("hint.upright")
    case "motions": return LocalizedText(task.prompt.next.map { "\(plain).\($0)" } ?? "check.starting")
    case "blink", "head-path", "light": return LocalizedText(plain)
    default: return LocalizedText("instruction.follow")
    }
  }

  /// Instructions with the same text in every task.
  private static let general: Set<String> = ["position-face", "hold-still", "come-back", "done"]
  /// Instructions with a separate text for each side.
  private static let sided: Set<String> = ["turn", "get-ready"]
}
