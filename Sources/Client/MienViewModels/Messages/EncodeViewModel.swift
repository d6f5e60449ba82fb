internal import MienClient
public import MienAPI
public import Observation

/// View model for creating a message: enter a text, record a sequence, wait for the GIF, share it.
@MainActor @Observable public final class EncodeViewModel {
  public enum State: Hashable, Sendable {
    /// Entering the text. Next: `recording`.
    case entering
    /// The camera is running or starting, with the last step (`nil` before the first). Next: `generating` or
    /// `problem`.
    case recording(PerformanceStepResponse?)
    /// The message is being locked. Next: `sharing` or `problem`.
    case generating
    /// Locked; the GIF is available or can be requested again. Next: `entering`.
    case sharing(MessageResponse)
    /// Failed. Returns to the previous state.
    case problem(ViewError)
  }

  public private(set) var state = State.entering
  /// Message text; saved on the device until the message is locked.
  public var text: String { didSet { if text != oldValue { saveDraft() } } }
  /// Number of expressions, 3…12.
  public var steps = 5 {
    didSet {
      // Assigned only if different: the accessor of an observed property would call this observer again without end.
      let bounded = min(max(steps, 3), 12)
      if bounded != steps { steps = bounded }
    }
  }
  /// `true` to omit the sequence from the GIF.
  public var isSecret = false
  /// GIF of the message, once downloaded.
  public private(set) var gif: [UInt8]?
  /// Performed expressions, for display in a row.
  public private(set) var performed: [String] = []

  /// Maximum text length in characters (grapheme clusters).
  public static let most = 100

  private let network: FlowNetwork
  private let camera: any FlowCamera
  private let effects: EffectHandler
  private let profile: ProfileViewModel
  private let memory: PreferencesStore
  private var recording: CreateMessageRequest.Recording?
  private var work: Task<Void, Never>?

  public init(
    network: FlowNetwork, camera: any FlowCamera, effects: EffectHandler, profile: ProfileViewModel,
    store: any FlowStore
  ) {
    self.network = network
    self.camera = camera
    self.effects = effects
    self.profile = profile
    memory = PreferencesStore(store: store)
    text = memory.read("draft") ?? ""
  }

  /// `true` if the text can be locked.
  public var mayLock: Bool { state == .entering && text.contains { !$0.isWhitespace } && text.count <= Self.most }

  /// Text that shows the current length or the excess.
  public var count: LocalizedText {
    text.count > Self.most
      ? LocalizedText("messages.write.too-long", ["number": "\(text.count - Self.most)"])
      : LocalizedText("messages.write.count", ["number": "\(text.count)", "most": "\(Self.most)"])
  }

  /// Current instruction during a recording.
  public var instruction: LocalizedText? {
    if case .recording(let step) = state { PerformanceLocalization.instruction(step) } else { nil }
  }

  /// Records the sequence and locks the text with it.
  public func lock() async {
    guard mayLock else { return }
    recording = nil
    await perform()
  }

  /// Retries the failed step without repeating a completed recording.
  public func again() async {
    guard case .problem = state else { return }
    if recording != nil { await finish() } else { await perform() }
  }

  /// Cancels the recording and returns to the text.
  public func cancel() {
    work?.cancel()
    work = nil
    recording = nil
    performed = []
    state = .entering
  }

  /// Shares the GIF through the platform, after downloading it if it is missing.
  public func share() async {
    guard case .sharing(let message) = state else { return }
    if gif == nil { gif = try? await network.messages.gif(of: message.id) }
    guard let gif, state == .sharing(message) else { return }
    effects.share(SharedFile(name: "mien-\(message.id).gif", type: "image/gif", bytes: gif))
  }

  /// Starts another message.
  public func another() {
    guard case .sharing = state else { return }
    (text, gif, recording, performed, state) = ("", nil, nil, [], .entering)
  }

  private func perform() async {
    state = .recording(nil)
    performed = []
    let task = Task { await record() }
    work = task
    await task.value
    guard recording != nil, case .recording = state else { return }
    await finish()
  }

  private func record() async {
    do {
      // The camera first: an unused recording would expire on the server.
      let source = try await camera.opened()
      let begun: (recording: CreateMessageRequest.Recording, line: PerformanceConnection)
      do {
        begun = try await network.messages.record(
          steps: steps, calibrates: profile.settings.calibrates, client: network.client)
      } catch {
        await source.close()
        throw error
      }
      let last = try await Performance(line: begun.line, clock: network.clock).perform(camera: source) { step in
        await self.show(step)
      }
      guard last.state == "recorded" else { throw ViewError(code: "token-expired", recovery: .again) }
      recording = begun.recording
      performed = last.performed
    } catch is CancellationError {
      return
    } catch {
      fail(error)
    }
  }

  private func show(_ step: PerformanceStepResponse?) {
    guard case .recording(let before) = state, let step else { return }
    if step.performed.count > before?.performed.count ?? 0 { effects.feel(.step) }
    performed = step.performed
    state = .recording(step)
  }

  private func finish() async {
    guard let recording else { return }
    state = .generating
    var options = CreateMessageRequest(text: text, steps: [])
    options.steps = nil
    options.recording = recording
    options.mode = isSecret ? "secret" : "open"
    options.avatar = profile.settings.avatar
    do {
      let message = try await network.messages.lock(options)
      guard state == .generating else { return }
      self.recording = nil
      profile.know(message.id, receipt: message.receipt)
      profile.change { $0.locked += 1 }
      try? memory.save("draft", String?.none)
      // The message is locked even if its GIF is not available yet.
      gif = try? await network.messages.gif(of: message.id)
      state = .sharing(message)
      effects.feel(.success)
    } catch is CancellationError {
      state = .entering
    } catch {
      // After a rejection the sequence must be performed again; without a response the recording is still valid.
      if let error = error as? ClientError, error.code != .unreachable, error.code != .unreadable, error.code != .busy {
        self.recording = nil
      }
      fail(error)
    }
  }

  private func fail(_ error: any Error) {
    state = .problem(network.problem(error))
    effects.feel(.failure)
  }

  private func saveDraft() { try? memory.save("draft", text.isEmpty ? String?.none : text) }
}
