public import MienPlatform
public import MienCore

/// A sender's options for a new message, as received.
public struct CreateMessageOptions: Sendable {
  /// Source of the sequence.
  public enum Steps: Sendable {
    /// Names of the expressions.
    case names([String])
    /// A complete recording and its token.
    case recording(CheckID, token: String)
  }

  public var text: String
  public var steps: Steps
  /// `open` or `secret`.
  public var mode = "open"
  public var avatar = "bear"
  /// Maximum number of attempts, 1…100; `nil` for 10.
  public var attempts: Int?
  /// Wait for one more attempt when all are used up, in seconds, 10…86,400; an hour by default. Each further wait is twice as
  /// long, up to a day.
  public var firstWait: Int?
  /// Maximum number of views, 1…100; `nil` for no limit.
  public var views: Int?
  /// Lifetime in seconds; `nil` for the default of the settings.
  public var expiresIn: Int?
  /// `true` if only frames can open the message; `false` also accepts observations that a device claims, which need no
  /// camera, if the server allows them.
  public var needsFrames = true
  /// `true` to reject frames that the passive signals find suspect; implies ``needsFrames``.
  public var needsPassive = false
  /// `true` if only the holder of the message's link can try to open it; the message ID alone is not enough then.
  public var needsLink = false

  public init(text: String, steps: Steps) {
    self.text = text
    self.steps = steps
  }

  /// `true` if claimed observations may open the message.
  var takesClaims: Bool { !needsFrames && !needsPassive }
}

extension CreateMessageOptions {
  /// Digest of all options except the source of the sequence; equal only for equal options.
  var digest: SecretDigest {
    let numbers = [attempts, firstWait, views, expiresIn].map { $0.map { "\($0)" } ?? "" }
    let words = [text, mode, avatar, "\(needsFrames)", "\(needsPassive)", "\(needsLink)"] + numbers
    // Each text is preceded by its length, so that the boundaries between them are unambiguous.
    return SecretDigest(of: words.map { "\($0.utf8.count):\($0)" }.joined())
  }
}

/// The state of a message that anyone with its ID can read.
public struct MessageState: Sendable {
  /// Message ID as displayed, `XXXX-XXXX-XXXX-XXXX`.
  public let number: String
  public let mode: MessageRecord.Mode
  public let avatar: String
  public let steps: Int
  public let needsFrames: Bool
  public let needsPassive: Bool
  /// `true` if only the holder of its link can try to open the message.
  public let needsLink: Bool
  public let created: UnixTime
  public let expires: UnixTime
  /// Number of views left; `nil` for no limit.
  public let viewsLeft: Int?
  public let standing: MessageAvailability
  /// Names of the expressions that the GIF shows, in order; `nil` for a secret message, in lists, and once the message has
  /// ended.
  public var expressions: [String]?
}

/// Operator settings for messages; the defaults are the documented ones.
public struct MessageSettings: Sendable {
  /// Realm of the messages.
  public var realm = Realm.live
  /// Number of messages that one address may lock per hour without an API key, and number of images read for it; twenty
  /// times as many lookups are allowed. 0 for no limit.
  public var locksPerHour = 1800
  /// Maximum number of images read at the same time.
  public var maximumImages = 2
  /// Maximum duration of a performance, and time for which a recording can be used.
  public var lifetime: Interval = .seconds(180)
  /// Tolerated drift of a client's clock against the server's within one performance, in either direction.
  public var clockTolerance: Interval = .seconds(2)
  /// Maximum number of performances in progress.
  public var maximumPerformances = 2000
  /// Maximum number of performances in progress that one address has begun without an API key.
  public var maximumPerformancesOfCaller = 200
  /// Maximum number of these for the same message.
  public var maximumPerformancesOfMessage = 16
  /// Time within which the first frame of a performance must arrive; otherwise the performance is deleted.
  public var firstFrame: Interval = .seconds(30)
  /// Wait of an IP address after its first wrong attempt at a message; each further wait is twice as long, up to an hour.
  /// `nil` for none.
  public var firstAttemptWait: Interval? = .seconds(5)
  /// Parameters of the key derivation for new messages.
  public var keyCost = ScryptParameters.standard
  /// `true` to let claimed observations open messages whose senders permit it. Recordings then accept claimed
  /// observations, too.
  public var allowsClaims = false
  /// Maximum number of claimed observations per request.
  public var maximumClaims = 600
  /// Default lifetime of a message, in seconds.
  public var standardLife = 30 * 86_400
  /// Allowed lifetimes of a message, in seconds.
  public var lives = 60...(366 * 86_400)
  /// Time for which the ID of an ended message is stored after its expiry.
  public var endedMessageRetention: Interval = .seconds(30 * 86_400)

  public init() {}
}
