public import MienClient
internal import MienCore
public import Observation

/// The screen of a check: idle, instructing, tracking, success, failure, time-out.
///
/// The server judges; the flow shows what it says, and what keeps it from saying anything.
@MainActor @Observable public final class CheckViewModel {
  public enum State: Hashable, Sendable {
    /// Nothing is going on. Goes to `starting`.
    case idle
    /// The camera is asked for. Goes to `positioning` or `troubled`.
    case starting
    /// The face has to come into the oval. Goes to `instructing`, or to an end.
    case positioning
    /// It is said what comes. Goes to `tracking`, or to an end.
    case instructing
    /// The person does what is asked. Goes back to `positioning` (another attempt), or to an end.
    case tracking
    case success
    /// The server's reason.
    case failure(String)
    case timedOut
    /// It could not be done.
    case troubled(ViewError)

    /// Whether it is over.
    public var isFinal: Bool {
      switch self {
      case .success, .failure, .timedOut, .troubled: true
      case .idle, .starting, .positioning, .instructing, .tracking: false
      }
    }
  }

  public private(set) var state = State.idle
  /// What the server said last.
  public private(set) var step: LivenessStep?
  /// What is in the way while the check goes on by itself: `unreachable` or `busy`.
  public private(set) var cover: ViewNotice?
  /// What came of it.
  public private(set) var data: LivenessData?

  private let network: FlowNetwork
  private let camera: any FlowCamera
  private let stage: EffectHandler
  private let options: LivenessOptions
  private let session: Liveness.SessionSource
  private var run: LivenessSession?
  /// How often it began: a beginning that waited until there was another one has no say any more.
  private var turn = 0

  public init(
    network: FlowNetwork, camera: any FlowCamera, stage: EffectHandler, options: LivenessOptions = LivenessOptions(),
    session: Liveness.SessionSource
  ) {
    self.network = network
    self.camera = camera
    self.stage = stage
    self.options = options
    self.session = session
  }

  /// Does the check from the camera's permission to its end.
  public func begin() async {
    guard state == .idle || state.isFinal else { return }
    turn += 1
    let mine = turn
    (state, step, cover, data) = (.starting, nil, nil, nil)
    let source: any FrameSource
    do {
      source = try await camera.opened()
    } catch {
      if mine == turn, state == .starting { end(.troubled(network.trouble(error))) }
      return
    }
    guard mine == turn, state == .starting else { return await source.close() }
    var liveness = Liveness(server: LivenessServer(network.server), options: options, session: session)
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
      if state != .idle, !state.isFinal { end(Self.state(of: data, isOnline: network.isOnline)) }
    } catch {
      guard mine == turn else { return }
      if !state.isFinal { end(.idle) }
    }
    self.run = nil
  }

  /// Ends the check; the camera is let go.
  public func stop() {
    run?.close()
    run = nil
    (state, step, cover) = (.idle, nil, nil)
  }

  /// A call, or another app: the pictures of before and after are not one movement.
  public func interrupted() {
    guard state != .idle, !state.isFinal else { return }
    run?.close()
    run = nil
    end(.troubled(.interrupted))
  }

  /// What to say now.
  public var told: LocalizedText? {
    switch state {
    case .idle: nil
    case .starting: LocalizedText("check.starting")
    case .positioning, .instructing, .tracking: step.map(StepLocalization.told)
    case .success: LocalizedText("passed.title")
    case .failure, .timedOut, .troubled: notices.first?.title
    }
  }

  /// What to change now, or nil.
  public var hint: LocalizedText? { step?.hints.first.map { LocalizedText("hint.\($0.rawValue)") } }

  /// How an end is told, the most particular first.
  public var notices: [ViewNotice] {
    switch state {
    case .success: [ViewNotice("passed")]
    case .failure(let reason): [ViewNotice("reason.\(reason)"), ViewNotice("reason.unknown")]
    case .timedOut: [ViewNotice("reason.timed-out")]
    case .troubled(let trouble): trouble.notices()
    case .idle, .starting, .positioning, .instructing, .tracking: []
    }
  }

  private func show(_ progress: LivenessProgress) {
    guard state != .idle, !state.isFinal else { return }
    switch progress {
    case .unreachable: cover = Self.cover("cover.unreachable")
    case .busy: cover = Self.cover("cover.busy")
    case .step(let step):
      let before = told
      cover = nil
      self.step = step
      switch step.phase {
      case .positioning, .depth: state = .positioning
      case .instructing: state = .instructing
      case .tracking: state = .tracking
      case .passed: return end(.success)
      case .failed: return end(.failure(step.reason ?? "unknown"))
      case .timedOut: return end(.timedOut)
      }
      if options.allowAudio, let told, told != before { stage.say(told) }
    }
  }

  private func end(_ end: State) {
    state = end
    switch end {
    case .success: stage.feel(.success)
    case .failure, .timedOut, .troubled: stage.feel(.failure)
    case .idle, .starting, .positioning, .instructing, .tracking: return
    }
    if options.allowAudio, let told { stage.say(told) }
  }

  /// The pages have the text of a cover under its bare key.
  private static func cover(_ key: String) -> ViewNotice {
    var notice = ViewNotice(key)
    notice.text = LocalizedText(key)
    return notice
  }

  private static func state(of data: LivenessData, isOnline: Bool) -> State {
    guard !data.passed else { return .success }
    let reason = data.reason ?? "unknown"
    switch reason {
    case "timed-out": return .timedOut
    case "no-frames": return .troubled(.cameraLost)
    case "no-session": return .troubled(ViewError(code: "session", wayOn: .again))
    case ClientError.Code.unreachable.text, ClientError.Code.unreadable.text:
      return .troubled(isOnline ? .unreachable : .offline)
    default:
      return data.error?.key == .taskFailed ? .failure(reason) : .troubled(ViewError(code: reason, wayOn: .again))
    }
  }
}
