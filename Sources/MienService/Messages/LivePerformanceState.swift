internal import MienAvatars
internal import MienChallenges
internal import MienExpressions
internal import MienModel

/// All that a performance has come to. Small enough to be kept several times a second.
///
/// What the tracker remembers of the face is not in it: after a change of the server the face is looked for anew.
struct LivePerformanceState: Sendable {
  /// The format of the bytes; one more whenever a part changes its shape.
  static let version: UInt8 = 1
  /// How many frames are remembered so that they are not judged again; more than a minute of them.
  static let rememberedFrames = LiveCheckState.rememberedFrames

  enum Phase: Sendable {
    case performing
    /// All places are filled, and a service is deciding.
    case deciding
    case over(PerformanceStep.State)
  }

  enum Source: CaseIterable, Sendable { case frames, claims }

  /// The message that a recording locks, from just before it is kept.
  struct Locked: Sendable {
    /// ``MessageWish/digest``.
    let wish: SecretDigest
    let message: MessageCode
    let receipt: String
  }

  private(set) var purpose: PerformancePurpose
  private(set) var expires: UnixTime
  /// One word for everybody behind the address that began it; nil where nobody is counted.
  private(set) var caller: String?
  private(set) var length: Int
  private(set) var needsFrames: Bool
  private(set) var needsPassive: Bool
  private(set) var calibrates: Bool
  /// Made for the kind of what comes first.
  var machine: PerformanceMachine?
  /// Watches the frames where the sender wants that.
  var passive: PassiveWatch?
  private(set) var phase = Phase.performing
  var client: String?
  private(set) var source: Source?
  /// True when the expression before was performed again.
  var repeated = false
  /// The first pair of the client's and the server's clocks, and the client's last time.
  var clocks: (client: Interval, server: Instant, last: Interval)?
  /// The first half of the digest of each frame that came, 16 bytes each.
  private(set) var digests: [UInt8] = []
  var locked: Locked?

  /// A performance that begins.
  ///
  /// - Parameter length: 3…12.
  init(
    _ purpose: PerformancePurpose, length: Int, needsFrames: Bool, needsPassive: Bool, calibrates: Bool,
    caller: String?, expires: UnixTime
  ) {
    self.purpose = purpose
    self.length = length
    self.needsFrames = needsFrames
    self.needsPassive = needsPassive
    self.calibrates = calibrates
    self.caller = caller
    self.expires = expires
    passive = needsPassive ? PassiveWatch(settings: .live) : nil
  }

  /// True from the moment all places are filled.
  var isClosed: Bool {
    if case .performing = phase { false } else { true }
  }

  /// The steps of a recording that is complete.
  var recording: ExpressionSequence? {
    guard case .over(.recorded) = phase else { return nil }
    return machine?.sequence
  }

  /// Begins to look at what comes first.
  mutating func begin(with source: Source, from client: String?) {
    self.client = client
    self.source = source
    machine = newMachine
  }

  private var newMachine: PerformanceMachine? {
    guard let source else { return nil }
    return PerformanceMachine(
      length: length, settings: .standard(source == .frames ? .tracker : .phone),
      calibration: calibrates ? CalibrationMachine() : nil)
  }

  /// Remembers a frame's digest.
  mutating func receive(_ digest: [UInt8]) {
    digests += digest.prefix(16)
    if digests.count > 16 * Self.rememberedFrames { digests.removeFirst(16) }
  }

  mutating func decide() { phase = .deciding }

  /// What only helped to judge is left behind.
  mutating func end(_ state: PerformanceStep.State) {
    phase = .over(state)
    (passive, digests, clocks) = (nil, [], nil)
  }

  // MARK: - As bytes

  /// The state as bytes.
  ///
  /// - Parameter now: on the clock that all the state's instants are of.
  func bytes(at now: Instant) -> [UInt8] {
    var (copy, tape) = (self, StateTape(writingAt: now))
    copy.pass(over: &tape)
    return tape.bytes
  }

  /// A state that was kept; nil when the bytes are of other settings, of another version or none at all.
  ///
  /// - Parameter then: when the state was that of, on this server's clock.
  init?(_ bytes: [UInt8], at then: Instant) {
    var tape = StateTape(reading: bytes, at: then)
    self.init(
      .record, length: ExpressionSequence.standardLength, needsFrames: false, needsPassive: false, calibrates: false,
      caller: nil, expires: UnixTime(milliseconds: 0))
    pass(over: &tape)
    guard tape.isReadToTheEnd else { return nil }
  }

  private mutating func pass(over tape: inout StateTape) {
    var (version, rules) = (Self.version, ExpressionSettings.version)
    tape.pass(&version)
    tape.pass(&rules)
    tape.require(version == Self.version && rules == ExpressionSettings.version)
    guard tape.isSound else { return }
    passBeginning(over: &tape)
    tape.pass(choice: &source)
    guard tape.isSound else { return }
    if tape.isReading { machine = newMachine }
    if var machine {
      tape.pass(&machine)
      self.machine = machine
    }
    var isWatched = passive != nil
    tape.pass(&isWatched)
    if isWatched {
      var watch = passive ?? PassiveWatch(settings: .live)
      tape.pass(&watch)
      passive = watch
    } else {
      passive = nil
    }
    passPhase(over: &tape)
    tape.pass(&client)
    tape.pass(&repeated)
    passClocks(over: &tape)
    tape.pass(&digests)
    tape.require(digests.count.isMultiple(of: 16))
    passLocked(over: &tape)
  }

  private mutating func passBeginning(over tape: inout StateTape) {
    var message = purpose.message?.text
    tape.pass(&message)
    let code = message.flatMap { MessageCode(text: $0) }
    tape.require((code == nil) == (message == nil))
    if tape.isReading { purpose = code.map { .open($0) } ?? .record }
    var milliseconds = expires.milliseconds
    tape.pass(&milliseconds)
    expires = UnixTime(milliseconds: milliseconds)
    tape.pass(&caller)
    tape.pass(&length)
    tape.require(ExpressionSequence.lengths.contains(length))
    tape.pass(&needsFrames)
    tape.pass(&needsPassive)
    tape.pass(&calibrates)
  }

  private mutating func passPhase(over tape: inout StateTape) {
    var number: UInt8 =
      switch phase {
      case .performing: 0
      case .deciding: 1
      case .over: 2
      }
    tape.pass(&number)
    tape.require(number <= 2)
    guard number == 2 else {
      phase = number == 1 ? .deciding : .performing
      return
    }
    var state = PerformanceStep.State.performing
    if case .over(let end) = phase { state = end }
    state.pass(over: &tape)
    tape.require(state.isFinal)
    phase = .over(state)
  }

  private mutating func passClocks(over tape: inout StateTape) {
    var times = clocks.map { [$0.client, $0.last] } ?? []
    var server = clocks?.server
    tape.pass(&times)
    tape.pass(&server)
    tape.require(times.count == (server == nil ? 0 : 2))
    guard tape.isSound else { return }
    clocks = server.map { (times[0], $0, times[1]) }
  }

  private mutating func passLocked(over tape: inout StateTape) {
    var wish = locked?.wish.bytes ?? []
    var words = locked.map { [$0.message.text, $0.receipt] } ?? []
    tape.pass(&wish)
    tape.pass(&words)
    guard tape.isReading, !words.isEmpty || !wish.isEmpty else { return }
    guard words.count == 2, let digest = SecretDigest(bytes: wish), let code = MessageCode(text: words[0]) else {
      return tape.require(false)
    }
    locked = Locked(wish: digest, message: code, receipt: words[1])
  }
}

extension LivePerformanceState: CustomStringConvertible, CustomReflectable {
  var description: String { "LivePerformanceState(withheld)" }
  var customMirror: Mirror { Mirror(self, children: []) }
}

extension PerformanceStep.State {
  /// Passes what is told over the tape.
  fileprivate mutating func pass(over tape: inout StateTape) {
    var word: String
    if case .refused = self { word = "refused" } else { word = code }
    tape.pass(&word)
    var text: String?
    var number: Int64?
    var standing: String?
    switch self {
    case .calibrating, .performing, .recorded, .suspect: break
    case .opened(let shown, let left): (text, number) = (shown, left.map { Int64($0) })
    case .wrong(let left): number = Int64(left)
    case .refused(let refused):
      standing = refused.code
      switch refused {
      case .ready(let left): number = Int64(left)
      case .waiting(let until): number = until.milliseconds
      case .lockedForGood, .read, .expired, .deleted: break
      }
    }
    tape.pass(&text)
    tape.pass(&number)
    tape.pass(&standing)
    guard tape.isReading, tape.isSound else { return }
    let read = Self(word, text, number, standing)
    tape.require(read != nil)
    if let read { self = read }
  }

  private init?(_ word: String, _ text: String?, _ number: Int64?, _ standing: String?) {
    switch (word, text, number, standing) {
    case ("calibrating", nil, nil, nil): self = .calibrating
    case ("performing", nil, nil, nil): self = .performing
    case ("recorded", nil, nil, nil): self = .recorded
    case ("suspect", nil, nil, nil): self = .suspect
    case ("opened", let text?, let left, nil): self = .opened(text: text, viewsLeft: left.map { Int($0) })
    case ("wrong", nil, let left?, nil): self = .wrong(attemptsLeft: Int(left))
    case ("refused", nil, let left?, "ready"): self = .refused(.ready(attemptsLeft: Int(left)))
    case ("refused", nil, let until?, "waiting"): self = .refused(.waiting(until: UnixTime(milliseconds: until)))
    case ("refused", nil, nil, "locked"): self = .refused(.lockedForGood)
    case ("refused", nil, nil, "read"): self = .refused(.read)
    case ("refused", nil, nil, "expired"): self = .refused(.expired)
    case ("refused", nil, nil, "deleted"): self = .refused(.deleted)
    default: return nil
    }
  }
}
