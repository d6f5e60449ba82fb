internal import MienLiveSessions
internal import MienPlatform
internal import MienAvatars
internal import MienLiveness
internal import MienExpressions
internal import MienCore

/// The complete state of a performance. Small enough to be saved several times a second.
///
/// Does not include the tracker's state: after a change of the server, the face is detected anew.
struct ActivePerformanceState: Sendable {
  /// Version of the binary format; incremented whenever the layout of a part changes.
  static let version: UInt8 = 4

  enum Phase: Sendable {
    case performing
    /// All steps were performed, and a service is deciding.
    case deciding
    case over(PerformanceStep.State)
  }

  enum Source: CaseIterable, Sendable { case frames, claims }

  /// The message locked with a recording; set just before the message is stored.
  struct Locked: Sendable {
    /// Value of ``CreateMessageOptions/digest``.
    let options: SecretDigest
    let message: MessageID
    let receipt: String
    /// Secret part of the message's link; `nil` if there is none.
    let link: String?
  }

  private(set) var purpose: PerformancePurpose
  private(set) var expires: UnixTime
  /// Key for all clients behind the address that began the performance; `nil` if they are not counted.
  private(set) var caller: String?
  private(set) var length: Int
  private(set) var needsFrames: Bool
  private(set) var needsPassive: Bool
  /// Created for the source of the first input.
  var machine: SequenceRecognizer?
  /// Monitors the frames if the sender requires that.
  var passive: PassiveSignalMonitor?
  private(set) var phase = Phase.performing
  var input = SessionInput()
  private(set) var source: Source?
  /// `true` if the previous expression was performed again.
  var repeated = false
  var locked: Locked?

  /// Creates the state of a new performance.
  ///
  /// - Parameter length: number of steps, 3…12.
  init(
    _ purpose: PerformancePurpose, length: Int, needsFrames: Bool, needsPassive: Bool, caller: String?,
    expires: UnixTime
  ) {
    self.purpose = purpose
    self.length = length
    self.needsFrames = needsFrames
    self.needsPassive = needsPassive
    self.caller = caller
    self.expires = expires
    passive = needsPassive ? PassiveSignalMonitor(settings: .live) : nil
  }

  /// `true` once all steps were performed.
  var isClosed: Bool {
    if case .performing = phase { false } else { true }
  }

  /// Steps of a complete recording.
  var recording: ExpressionSequence? {
    guard case .over(.recorded) = phase else { return nil }
    return machine?.sequence
  }

  /// Starts the recognition for the source of the first input.
  mutating func begin(with source: Source, from client: String?) {
    input.bind(to: client)
    self.source = source
    machine = newMachine
  }

  private var newMachine: SequenceRecognizer? {
    guard let source else { return nil }
    return SequenceRecognizer(
      length: length, settings: .performing(source == .frames ? .tracker : .phone))
  }

  mutating func decide() { phase = .deciding }

  /// Ends the performance and discards the data that was only needed for evaluation.
  mutating func end(_ state: PerformanceStep.State) {
    phase = .over(state)
    passive = nil
    input.close()
  }

  // MARK: - Serialization

  /// Returns the state in binary form.
  ///
  /// - Parameter now: the current time, on the clock of all instants in the state.
  func bytes(at now: MonotonicInstant) -> [UInt8] {
    var (copy, coder) = (self, BinaryStateCoder(writingAt: now))
    copy.pass(over: &coder)
    return coder.bytes
  }

  /// Restores a saved state; returns `nil` if the bytes are from other settings or another version, or invalid.
  ///
  /// - Parameter then: time of the saved state, on this server's clock.
  init?(_ bytes: [UInt8], at then: MonotonicInstant) {
    var coder = BinaryStateCoder(reading: bytes, at: then)
    self.init(
      .record, length: ExpressionSequence.standardLength, needsFrames: false, needsPassive: false,
      caller: nil, expires: UnixTime(milliseconds: 0))
    pass(over: &coder)
    guard coder.isReadToTheEnd else { return nil }
  }

  private mutating func pass(over coder: inout BinaryStateCoder) {
    var (version, rules) = (Self.version, ExpressionSettings.version)
    coder.pass(&version)
    coder.pass(&rules)
    coder.require(version == Self.version && rules == ExpressionSettings.version)
    guard coder.isSound else { return }
    passBeginning(over: &coder)
    coder.pass(choice: &source)
    guard coder.isSound else { return }
    if coder.isReading { machine = newMachine }
    if var machine {
      coder.pass(&machine)
      self.machine = machine
    }
    var isWatched = passive != nil
    coder.pass(&isWatched)
    if isWatched {
      var watch = passive ?? PassiveSignalMonitor(settings: .live)
      coder.pass(&watch)
      passive = watch
    } else {
      passive = nil
    }
    passPhase(over: &coder)
    input.pass(over: &coder)
    coder.pass(&repeated)
    passLocked(over: &coder)
  }

  private mutating func passBeginning(over coder: inout BinaryStateCoder) {
    var message = purpose.message?.text
    var link = purpose.link
    coder.pass(&message)
    coder.pass(&link)
    let code = message.flatMap { MessageID(text: $0) }
    coder.require((code == nil) == (message == nil) && (code != nil || link == nil))
    if coder.isReading { purpose = code.map { .open($0, link: link) } ?? .record }
    var milliseconds = expires.milliseconds
    coder.pass(&milliseconds)
    expires = UnixTime(milliseconds: milliseconds)
    coder.pass(&caller)
    coder.pass(&length)
    coder.require(ExpressionSequence.lengths.contains(length))
    coder.pass(&needsFrames)
    coder.pass(&needsPassive)
  }

  private mutating func passPhase(over coder: inout BinaryStateCoder) {
    var number: UInt8 =
      switch phase {
      case .performing: 0
      case .deciding: 1
      case .over: 2
      }
    coder.pass(&number)
    coder.require(number <= 2)
    guard number == 2 else {
      phase = number == 1 ? .deciding : .performing
      return
    }
    var state = PerformanceStep.State.performing
    if case .over(let end) = phase { state = end }
    state.pass(over: &coder)
    coder.require(state.isFinal)
    phase = .over(state)
  }

  private mutating func passLocked(over coder: inout BinaryStateCoder) {
    var options = locked?.options.bytes ?? []
    var words = locked.map { [$0.message.text, $0.receipt] + ($0.link.map { [$0] } ?? []) } ?? []
    coder.pass(&options)
    coder.pass(&words)
    guard coder.isReading, !words.isEmpty || !options.isEmpty else { return }
    guard (2...3).contains(words.count), let digest = SecretDigest(bytes: options), let code = MessageID(text: words[0])
    else {
      return coder.require(false)
    }
    locked = Locked(
      options: digest, message: code, receipt: words[1], link: words.count == 3 ? words[2] : nil)
  }
}

extension ActivePerformanceState: CustomStringConvertible, CustomReflectable {
  var description: String { "ActivePerformanceState(withheld)" }
  var customMirror: Mirror { Mirror(self, children: []) }
}

extension PerformanceStep.State {
  /// Encodes or decodes the state.
  fileprivate mutating func pass(over coder: inout BinaryStateCoder) {
    var word: String
    if case .refused = self { word = "refused" } else { word = code }
    coder.pass(&word)
    var text: String?
    var number: Int64?
    var standing: String?
    switch self {
    case .performing, .recorded, .suspect: break
    case .opened(let shown, let left): (text, number) = (shown, left.map { Int64($0) })
    case .wrong(let left): number = Int64(left)
    case .refused(let refused):
      standing = refused.code
      switch refused {
      case .ready(let left): number = Int64(left)
      case .waiting(let until): number = until.milliseconds
      case .read, .expired, .deleted: break
      }
    }
    coder.pass(&text)
    coder.pass(&number)
    coder.pass(&standing)
    guard coder.isReading, coder.isSound else { return }
    let read = Self(word, text, number, standing)
    coder.require(read != nil)
    if let read { self = read }
  }

  private init?(_ word: String, _ text: String?, _ number: Int64?, _ standing: String?) {
    switch (word, text, number, standing) {
    case ("performing", nil, nil, nil): self = .performing
    case ("recorded", nil, nil, nil): self = .recorded
    case ("suspect", nil, nil, nil): self = .suspect
    case ("opened", let text?, let left, nil): self = .opened(text: text, viewsLeft: left.map { Int($0) })
    case ("wrong", nil, let left?, nil): self = .wrong(attemptsLeft: Int(left))
    case ("refused", nil, let left?, "ready"): self = .refused(.ready(attemptsLeft: Int(left)))
    case ("refused", nil, let until?, "waiting"): self = .refused(.waiting(until: UnixTime(milliseconds: until)))
    case ("refused", nil, nil, "read"): self = .refused(.read)
    case ("refused", nil, nil, "expired"): self = .refused(.expired)
    case ("refused", nil, nil, "deleted"): self = .refused(.deleted)
    default: return nil
    }
  }
}
