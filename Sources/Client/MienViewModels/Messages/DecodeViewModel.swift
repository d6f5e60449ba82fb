internal import Foundation
public import MienAPI
internal import MienAvatars
internal import MienClient
internal import MienCore
public import Observation

/// View model for reading a message: choose a GIF or an ID, perform the sequence, wait, read.
@MainActor @Observable public final class DecodeViewModel {
  public enum State: Hashable, Sendable {
    /// Waiting for a choice; the reason why the previous one was invalid, or `nil`. Next: `looking`.
    case choosing(LocalizedText?)
    /// Requesting the message from the server. Next: `ready`, `closed` or `problem`.
    case looking
    case ready(MessageResponse)
    /// The camera is running or starting. Next: `checking` or `problem`.
    case performing(PerformanceStepResponse?)
    /// The sequence is complete. Next: `revealed`, `wrong` or `closed`.
    case checking
    /// Message text and number of remaining views; `nil` for unlimited views.
    case revealed(String, viewsLeft: Int?)
    /// Performed expressions and number of remaining attempts.
    case wrong(performed: [String], attemptsLeft: Int?)
    /// The message cannot be opened: `link` (only the holder of its link can), `waiting`, `read`, `expired`, `deleted`, `suspect` or `gone`.
    case closed(String, until: String?)
    case problem(ViewError)
  }

  public private(set) var state = State.choosing(nil)
  /// Message data, once received from the server.
  public private(set) var message: MessageResponse?
  /// GIF chosen by the user or downloaded from the server; it shows the clue.
  public private(set) var gif: [UInt8]?

  /// Wait that is too short to be shown.
  private static let shortWait = Interval.seconds(10)

  private let network: FlowNetwork
  private let camera: any FlowCamera
  private let effects: EffectHandler
  private let profile: ProfileViewModel
  private var link: MessageLink?
  private var work: Task<Void, Never>?

  public init(network: FlowNetwork, camera: any FlowCamera, effects: EffectHandler, profile: ProfileViewModel) {
    self.network = network
    self.camera = camera
    self.effects = effects
    self.profile = profile
  }

  /// Handles a typed or pasted message ID or link.
  public func choose(text: String) async {
    guard mayChoose else { return }
    guard let link = MessageLink(text: text) else { return refuse("messages.choose.no-number") }
    await look(link)
  }

  /// Messages known to this device, newest first, to open one again.
  public var known: [SavedMessage] { profile.messages }

  /// Handles a chosen GIF.
  public func choose(gif bytes: [UInt8]) async {
    guard mayChoose else { return }
    guard bytes.starts(with: "GIF8".utf8) else { return refuse("messages.choose.not-a-gif") }
    state = .looking
    let reading = try? MessageIDDetector().read(gif: bytes)
    guard let code = reading?.code else {
      return refuse(reading == nil ? "messages.choose.unreadable" : "messages.choose.no-comment")
    }
    gif = bytes
    await look(MessageLink(id: code))
  }

  /// Starts the performance of the sequence.
  public func perform() async {
    switch state {
    case .ready, .wrong: break
    default: return
    }
    await attempt()
  }

  /// Retries the failed step.
  public func again() async {
    guard case .problem = state else { return }
    if message != nil { await attempt() } else if let link { await look(link) }
  }

  /// Returns to the choice and discards the message.
  public func leave() {
    work?.cancel()
    (work, message, gif, link, state) = (nil, nil, nil, nil, .choosing(nil))
  }

  /// Current instruction during a performance.
  public var instruction: LocalizedText? {
    if case .performing(let step) = state { PerformanceLocalization.instruction(step) } else { nil }
  }

  /// Notices for states without access to the text.
  public var notices: [ViewNotice] {
    switch state {
    case .closed("link", _): [ViewNotice("messages.problem.link-required")]
    case .closed(let state, let until): [ViewNotice("messages.state.\(state)", until.map { ["time": $0] } ?? [:])]
    case .wrong: [ViewNotice("messages.wrong")]
    case .problem(let problem): problem.notices(in: "messages")
    default: []
    }
  }

  private var mayChoose: Bool { if case .choosing = state { true } else { false } }

  private func refuse(_ key: String) {
    state = .choosing(LocalizedText(key))
    effects.feel(.failure)
  }

  private func look(_ link: MessageLink) async {
    self.link = link
    state = .looking
    do {
      let found = try await network.messages.look(at: link.id.text)
      guard state == .looking else { return }
      profile.know(found.id, key: link.key)
      guard found.state == "ready" else {
        state = .closed(found.state, until: found.waitsUntil)
        return
      }
      guard !found.requiresLink || link.key != nil else {
        state = .closed("link", until: nil)
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

  private func perform(_ message: MessageResponse) async {
    do {
      let usesTracker = profile.settings.usesTracker && !message.requiresFrames
      let source = try await PerformanceSource.open(camera, tracker: usesTracker)
      let line: PerformanceConnection
      do {
        line = try await begin(message)
      } catch {
        await source.close()
        throw error
      }
      let performance = Performance(line: line, clock: network.clock)
      let last = try await source.perform(performance, camera: camera) { step in await self.show(step) }
      guard case .performing = state else { return }
      state = .checking
      // Shows the completed sequence briefly before the result.
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
  private func begin(_ message: MessageResponse) async throws -> PerformanceConnection {
    do {
      return try await network.messages.unlock(message.id, linkKey: link?.key, client: network.client)
    } catch let error as ClientError where error.code == .messageLocked {
      guard let wait = error.retryAfter, wait <= Self.shortWait else { throw error }
      try await network.clock.sleep(for: wait)
      return try await network.messages.unlock(message.id, linkKey: link?.key, client: network.client)
    }
  }

  /// Ends the attempt and shows a wait that is too long to continue after.
  private func close(_ wait: Interval) {
    let until = Date(timeIntervalSinceNow: wait.inSeconds)
    state = .closed("waiting", until: until.formatted(.iso8601))
    effects.feel(.failure)
  }

  private func show(_ step: PerformanceStepResponse?) {
    guard case .performing(let before) = state, let step else { return }
    if step.performed.count > before?.performed.count ?? 0 { effects.feel(.step) }
    state = .performing(step)
  }

  private func end(_ last: PerformanceStepResponse, of message: MessageResponse) {
    switch last.state {
    case "opened":
      state = .revealed(last.text ?? "", viewsLeft: last.viewsLeft)
      profile.change { $0.opened += 1 }
      profile.know(message.id, isOpened: true)
      effects.feel(.success)
    case "wrong":
      state = .wrong(performed: last.performed, attemptsLeft: last.attemptsLeft)
      profile.change { $0.wrong += 1 }
      effects.feel(.failure)
    default:
      state = .closed(last.state == "locked" ? "waiting" : last.state, until: last.waitsUntil)
      effects.feel(.failure)
    }
  }

  private func fail(_ error: any Error) {
    state = .problem(network.problem(error))
    effects.feel(.failure)
  }
}

extension DecodeViewModel.State: CustomStringConvertible, CustomReflectable {
  // States contain decrypted texts: the description must not.
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
    case .problem(let problem): "problem(\(problem))"
    }
  }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Text keys of the instructions during a performance.
enum PerformanceLocalization {
  static func instruction(_ step: PerformanceStepResponse?) -> LocalizedText {
    guard let step else { return LocalizedText("check.starting") }
    switch step.face {
    case "no-face", "several-faces", "turned-away": return LocalizedText("hint.\(step.face)")
    default: break
    }
    if step.repeated { return LocalizedText("messages.repeated") }
    if let seen = step.seen { return LocalizedText("expression.\(seen)") }
    return LocalizedText(step.neutral ? "messages.make" : "messages.relax")
  }
}
