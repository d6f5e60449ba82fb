public import MienAvatars
public import MienCore
public import MienVault

/// A message as it is kept: everything about it but its text and its sequence, which nobody can read here.
public struct MessageRecord: Hashable, Sendable {
  public enum Mode: String, Hashable, Sendable, CaseIterable {
    /// The GIF shows the sequence.
    case open
    /// The GIF only idles; the sequence travels by another way.
    case secret
  }

  public let id: MessageID
  /// The digest of what the sender deletes it with.
  public let receipt: SecretDigest
  public let created: UnixTime
  public let mode: Mode
  /// The avatar's plain name.
  public let avatar: String
  /// How many steps the sequence has.
  public let steps: Int
  /// True when only frames open it, and nothing that a device claims to have seen.
  public let needsFrames: Bool
  /// True when the frames must not be suspect (passive signals); only with `needsFrames`.
  public let needsPassive: Bool
  public let lock: UnlockPolicyState
  /// The text; nil as soon as the lock has come to its end.
  public let sealed: EncryptedText?
  /// The sequence of an open message, closed under the server's ``MasterKeyring``, to draw the GIF again; nil for secret ones and
  /// as soon as the lock has come to its end.
  public let hint: [UInt8]?

  public init(
    id: MessageID, receipt: SecretDigest, created: UnixTime, mode: Mode, avatar: String, steps: Int,
    needsFrames: Bool, needsPassive: Bool = false, lock: UnlockPolicyState, sealed: EncryptedText?, hint: [UInt8]?
  ) {
    self.id = id
    self.receipt = receipt
    self.created = created
    self.mode = mode
    self.avatar = avatar
    self.steps = steps
    self.needsFrames = needsFrames
    self.needsPassive = needsPassive
    self.lock = lock
    self.sealed = sealed
    self.hint = hint
  }
}

extension MessageRecord: CustomStringConvertible, CustomReflectable {
  public var description: String { "LockedMessage(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension UnixTime {
  /// This time as the lock's machine has it: on a clock whose origin is 1970-01-01T00:00:00Z.
  public var instant: MonotonicInstant {
    let (product, overflow) = milliseconds.multipliedReportingOverflow(by: 1_000_000)
    return MonotonicInstant(nanoseconds: overflow ? (milliseconds < 0 ? .min : .max) : product)
  }

  /// A time of the lock's machine, in whole milliseconds.
  public init(_ instant: MonotonicInstant) { self.init(milliseconds: instant.nanoseconds / 1_000_000) }
}
