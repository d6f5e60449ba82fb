internal import Foundation
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
  /// `true` to let only those open the message who have its link; the GIF has only the number.
  public var requiresLink = false
  /// `true` for a GIF with in-between images.
  public var isSmooth = false
  /// GIF of the message, once downloaded.
  public private(set) var gif: [UInt8]?
  /// Performed expressions, for display in a row.
  public private(set) var performed: [String] = []
  /// Link to send along with the GIF; `nil` for a message that everybody can open who has its number.
  public private(set) var link: String?

  /// Maximum text length in characters (grapheme clusters).
  public static let most = 100

  private let network: FlowNetwork
  private let camera: any FlowCamera
  private let effects: EffectHandler
  private let profile: ProfileViewModel
  private let memory: PreferencesStore
  private var recording: CreateMessageRequest.Recording?
  /// `true` if the recording consists of observations of the device.
  private var isClaimed = false
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
    if gif == nil { gif = await animation(of: message) }
    guard let gif, state == .sharing(message) else { return }
    effects.share(SharedFile(name: "mien-\(message.id).gif", type: "image/gif", bytes: gif, text: link))
  }

  /// Starts another message.
  public func another() {
    guard case .sharing = state else { return }
    (text, gif, link, recording, performed, state) = ("", nil, nil, nil, [], .entering)
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
      let source = try await PerformanceSource.open(camera, tracker: profile.settings.usesTracker)
      let begun: (recording: CreateMessageRequest.Recording, line: PerformanceConnection)
      do {
        begun = try await network.messages.record(
          steps: steps, client: network.client)
      } catch {
        await source.close()
        throw error
      }
      let performance = Performance(line: begun.line, clock: network.clock)
      let last = try await source.perform(performance, camera: camera) { step in await self.show(step) }
      guard last.state == "recorded" else { throw ViewError(code: "token-expired", recovery: .again) }
      recording = begun.recording
      isClaimed = last.source == "claimed"
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
    if requiresLink { options.requiresLink = true }
    // A message that was locked with the device's tracker opens with it too.
    if isClaimed { options.requiresFrames = false }
    do {
      let message = try await network.messages.lock(options)
      guard state == .generating else { return }
      self.recording = nil
      profile.know(message.id, receipt: message.receipt, key: message.linkKey)
      link = message.linkKey.map { address(of: message.id, key: $0) }
      profile.change { $0.locked += 1 }
      try? memory.save("draft", String?.none)
      // The message is locked even if its GIF is not available yet.
      gif = await animation(of: message)
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

  /// Returns the message's GIF; `nil` if it is not available yet.
  private func animation(of message: MessageResponse) async -> [UInt8]? {
    try? await network.messages.gif(of: message.id, style: isSmooth ? "smooth" : nil)
  }

  /// Address of the page that opens a message, and of the app's universal link. The secret is in the fragment, which
  /// browsers do not send.
  private func address(of number: String, key: String) -> String {
    var server = network.server.absoluteString
    while server.hasSuffix("/") { server.removeLast() }
    return "\(server)/decode#\(number)/\(key)"
  }

  private func fail(_ error: any Error) {
    state = .problem(network.problem(error))
    effects.feel(.failure)
  }

  private func saveDraft() { try? memory.save("draft", text.isEmpty ? String?.none : text) }
}
