public import MienModel
public import MienVault

/// What a sender asks for, as it came.
public struct MessageWish: Sendable {
  /// Where the sequence comes from.
  public enum Steps: Sendable {
    /// The names of the expressions.
    case names([String])
    /// A recording that is complete, and its token.
    case recording(SessionID, token: String)
  }

  public var text: String
  public var steps: Steps
  /// `open` or `secret`.
  public var mode = "open"
  public var avatar = "bear"
  /// 1…100; 10 when nobody says.
  public var attempts: Int?
  /// How long to wait for one more attempt when they are used up, in seconds, 10…86,400; an hour when the sender does not say.
  /// Each further wait is twice as long, up to a day.
  public var firstWait: Int?
  /// 1…100; nil without end.
  public var views: Int?
  /// In seconds; nil for the settings' standard.
  public var expiresIn: Int?
  /// True when only frames open it. False lets a device claim what it saw: that needs no camera, and a server that allows it.
  public var needsFrames = true
  /// True when passive signals must not refuse the frames; asks for frames too.
  public var needsPassive = false

  public init(text: String, steps: Steps) {
    self.text = text
    self.steps = steps
  }

  /// Whether claims may open it.
  var takesClaims: Bool { !needsFrames && !needsPassive }
}

extension MessageWish {
  /// The digest of all that is asked for but where the sequence comes from: two wishes have the same one only when they are
  /// the same.
  var digest: SecretDigest {
    let numbers = [attempts, firstWait, views, expiresIn].map { $0.map { "\($0)" } ?? "" }
    let words = [text, mode, avatar, "\(needsFrames)", "\(needsPassive)"] + numbers
    // Each with its length before it, so that nothing passes from one to the next.
    return SecretDigest(of: words.map { "\($0.utf8.count):\($0)" }.joined())
  }
}

/// What everybody may know of a message who has its number.
public struct MessageState: Sendable {
  /// As it is read aloud, `XXXX-XXXX-XXXX-XXXX`.
  public let number: String
  public let mode: LockedMessage.Mode
  public let avatar: String
  public let steps: Int
  public let needsFrames: Bool
  public let needsPassive: Bool
  public let created: UnixTime
  public let expires: UnixTime
  /// nil without end.
  public let viewsLeft: Int?
  public let standing: MessageStanding
}

/// What an operator can set about messages; defaults are the documented ones.
public struct MessageSettings: Sendable {
  /// Which world its messages live in.
  public var space = Space.live
  /// How many messages one address may lock in an hour without an API key, and as many pictures be read for it; twenty times
  /// as often it may look. 0: any number.
  public var locksPerHour = 1800
  /// How many pictures may be read at once.
  public var maximumPictures = 2
  /// How long a performance may take, and how long a recording can be used.
  public var lifetime: Interval = .seconds(180)
  /// How far a client's clock may drift against the server's within one performance, either way.
  public var clockTolerance: Interval = .seconds(2)
  /// How many performances may be under way at once.
  public var maximumPerformances = 2000
  /// How many of them one address may have begun without an API key, those that came to their end not counted.
  public var maximumPerformancesOfCaller = 200
  /// How many of these may be of one message.
  public var maximumPerformancesOfMessage = 16
  /// How soon after its beginning the first frame of a performance has to come; it is forgotten else.
  public var firstFrame: Interval = .seconds(30)
  /// How long an address must wait after its first wrong attempt at a message; each further wait is twice as long, up to an
  /// hour. nil: not at all.
  public var firstAttemptWait: Interval? = .seconds(5)
  /// How slow the keys of new messages are to derive.
  public var keyCost = KeyDerivationCost.standard
  /// True when a message may be opened by what a device reports about itself, where its sender asked for it. Recordings take
  /// such claims then, too.
  public var allowsClaims = false
  /// How many claimed observations one request may bring.
  public var maximumClaims = 600
  /// How long a message stays when the sender does not say, in seconds.
  public var standardLife = 30 * 86_400
  /// What a sender may say, in seconds.
  public var lives = 60...(366 * 86_400)
  /// How long the number of an ended message is remembered after its time.
  public var remembrance: Interval = .seconds(30 * 86_400)

  public init() {}
}
