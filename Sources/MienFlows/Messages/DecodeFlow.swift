internal import Foundation
internal import MienAvatars
internal import MienClient
internal import MienModel
public import MienWire
public import Observation

/// Decode: choose a GIF or a number, perform, wait, read.
@MainActor @Observable public final class DecodeFlow {
  public enum State: Hashable, Sendable {
    /// Why what was chosen before was none, or nil. Goes to `looking`.
    case choosing(FlowText?)
    /// The server is asked. Goes to `ready`, `closed` or `troubled`.
    case looking
    case ready(MessageReply)
    /// The camera runs, or is about to. Goes to `checking` or `troubled`.
    case performing(PerformanceStepReply?)
    /// All places are filled. Goes to `revealed`, `wrong` or `closed`.
    case checking
    /// The text, and how often it can be read again; nil: without end.
    case revealed(String, viewsLeft: Int?)
    /// What was performed, and how many wrong attempts are left.
    case wrong(performed: [String], attemptsLeft: Int?)
    /// There is nothing to open: `waiting`, `locked`, `read`, `expired`, `deleted`, `suspect` or `gone`.
    case closed(String, until: String?)
    case troubled(FlowTrouble)
  }

  public private(set) var state = State.choosing(nil)
  /// The message, once the server has told of it.
  public private(set) var message: MessageReply?
  /// The GIF as it was brought, or as the server gives it: the clue.
  public private(set) var gif: [UInt8]?

  /// A wait that a person need not be told of.
  private static let shortWait = Interval.seconds(10)

  private let network: FlowNetwork
  private let camera: any FlowCamera
  private let stage: FlowStage
  private let profile: ProfileFlow
  private var number: String?
  private var work: Task<Void, Never>?

  public init(network: FlowNetwork, camera: any FlowCamera, stage: FlowStage, profile: ProfileFlow) {
    self.network = network
    self.camera = camera
    self.stage = stage
    self.profile = profile
  }

  /// A number or a link was typed or pasted.
  public func choose(text: String) async {
    guard mayChoose else { return }
    // A link ends with the number behind its `#`.
    let number = text.split(separator: "#").last.flatMap { MessageCode(text: $0) } ?? MessageCode(text: text)
    guard let number else { return refuse("messages.choose.no-number") }
    await look(number.text)
  }

  /// A GIF was chosen.
  public func choose(gif bytes: [UInt8]) async {
    guard mayChoose else { return }
    guard bytes.starts(with: "GIF8".utf8) else { return refuse("messages.choose.not-a-gif") }
    state = .looking
    let reading = try? MessageCodeReader().read(gif: bytes)
    guard let code = reading?.code else {
      return refuse(reading == nil ? "messages.choose.unreadable" : "messages.choose.no-comment")
    }
    gif = bytes
    await look(code.text)
  }

  /// Performs the sequence.
  public func perform() async {
    switch state {
    case .ready, .wrong: break
    default: return
    }
    await attempt()
  }

  /// Does again what did not work.
  public func again() async {
    guard case .troubled = state else { return }
    if message != nil { await attempt() } else if let number { await look(number) }
  }

  /// Back to the choice; what was read is let go.
  public func leave() {
    work?.cancel()
    (work, message, gif, number, state) = (nil, nil, nil, nil, .choosing(nil))
  }

  /// What to do now, while performing.
  public var told: FlowText? { if case .performing(let step) = state { PerformanceWording.told(step) } else { nil } }

  /// How a state without a way to the text is told.
  public var notices: [FlowNotice] {
    switch state {
    case .closed(let state, let until): [FlowNotice("messages.state.\(state)", until.map { ["time": $0] } ?? [:])]
    case .wrong: [FlowNotice("messages.wrong")]
    case .troubled(let trouble): trouble.notices(in: "messages")
    default: []
    }
  }

  private var mayChoose: Bool { if case .choosing = state { true } else { false } }

  private func refuse(_ key: String) {
    state = .choosing(FlowText(key))
    stage.feel(.failure)
  }

  private func look(_ number: String) async {
    self.number = number
    state = .looking
    do {
      let found = try await network.messages.look(at: number)
      guard state == .looking else { return }
      profile.know(found.id)
      guard found.state == "ready" else {
        state = .closed(found.state, until: found.waitsUntil)
        return
      }
      if gif == nil { gif = try? await network.messages.gif(of: found.id) }
      guard state == .looking else { return }
      message = found
      state = .ready(found)
    } catch {
      if state == .looking { fail(error) }
    }
  }

  private func attempt() async {
    guard let message else { return }
    state = .performing(nil)
    let task = Task { await perform(message) }
    work = task
    await task.value
  }

  private func perform(_ message: MessageReply) async {
    do {
      let source = try await camera.opened()
      let line: PerformanceLine
      do {
        line = try await begin(message)
      } catch {
        await source.close()
        throw error
      }
      let last = try await Performance(line: line, clock: network.clock).perform(camera: source) { step in
        await self.show(step)
      }
      guard case .performing = state else { return }
      state = .checking
      // All places are seen filled for a moment, before it is said what came of it.
      try await network.clock.sleep(for: .milliseconds(700))
      guard state == .checking else { return }
      end(last, of: message)
    } catch is CancellationError {
      return
    } catch let error as ClientError where error.code == .messageLocked && error.retryAfter != nil {
      close(error.retryAfter ?? .zero)
    } catch {
      fail(error)
    }
  }

  /// Begins a performance, if need be after the short wait that follows the first wrong attempts.
  private func begin(_ message: MessageReply) async throws -> PerformanceLine {
    let calibrates = profile.settings.calibrates
    do {
      return try await network.messages.unlock(message.id, calibrates: calibrates, client: network.client)
    } catch let error as ClientError where error.code == .messageLocked {
      guard let wait = error.retryAfter, wait <= Self.shortWait else { throw error }
      try await network.clock.sleep(for: wait)
      return try await network.messages.unlock(message.id, calibrates: calibrates, client: network.client)
    }
  }

  /// Tells of a wait that is too long to sit out.
  private func close(_ wait: Interval) {
    let until = Date(timeIntervalSinceNow: wait.inSeconds)
    state = .closed("waiting", until: until.formatted(.iso8601))
    stage.feel(.failure)
  }

  private func show(_ step: PerformanceStepReply?) {
    guard case .performing(let before) = state, let step else { return }
    if step.performed.count > before?.performed.count ?? 0 { stage.feel(.step) }
    state = .performing(step)
  }

  private func end(_ last: PerformanceStepReply, of message: MessageReply) {
    switch last.state {
    case "opened":
      state = .revealed(last.text ?? "", viewsLeft: last.viewsLeft)
      profile.change { $0.opened += 1 }
      profile.know(message.id, isOpened: true)
      stage.feel(.success)
    case "wrong":
      state = .wrong(performed: last.performed, attemptsLeft: last.attemptsLeft)
      profile.change { $0.wrong += 1 }
      stage.feel(.failure)
    default:
      state = .closed(last.state == "locked" && last.waitsUntil != nil ? "waiting" : last.state, until: last.waitsUntil)
      stage.feel(.failure)
    }
  }

  private func fail(_ error: any Error) {
    state = .troubled(network.trouble(error))
    stage.feel(.failure)
  }
}

extension DecodeFlow.State: CustomStringConvertible, CustomReflectable {
  // A state holds what was locked.
  public var description: String {
    switch self {
    case .choosing: "choosing"
    case .looking: "looking"
    case .ready: "ready"
    case .performing: "performing"
    case .checking: "checking"
    case .revealed: "revealed"
    case .wrong: "wrong"
    case .closed(let state, _): "closed(\(state))"
    case .troubled(let trouble): "troubled(\(trouble))"
    }
  }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
