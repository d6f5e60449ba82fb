public import MienPlatform
public import MienAvatars
public import MienCore
public import MienVault

/// A message as stored. Its text and its sequence are encrypted.
public struct MessageRecord: Hashable, Sendable {
  public enum Mode: String, Hashable, Sendable, CaseIterable {
    /// The GIF shows the sequence.
    case open
    /// The GIF only shows an idle animation; the sequence is sent by other means.
    case secret
  }

  public let id: MessageID
  /// Digest of the receipt for deleting the message.
  public let receipt: SecretDigest
  public let created: UnixTime
  public let mode: Mode
  /// Name of the avatar.
  public let avatar: String
  /// Number of steps in the sequence.
  public let steps: Int
  /// `true` if only frames can open the message, and not client-reported observations.
  public let needsFrames: Bool
  /// `true` if the frames must not be suspect (passive signals); only with `needsFrames`.
  public let needsPassive: Bool
  /// Digest of the secret part of the message's link; `nil` if the message ID alone is enough to try it.
  public let link: SecretDigest?
  public let lock: UnlockPolicyState
  /// The encrypted text; `nil` once the message was read for the last time, has expired or was deleted.
  public let sealed: EncryptedText?
  /// The sequence of an open message, encrypted under the server's ``MasterKeyring``, for drawing the GIF again; `nil`
  /// for secret messages and once the message has ended.
  public let hint: [UInt8]?

  public init(
    id: MessageID, receipt: SecretDigest, created: UnixTime, mode: Mode, avatar: String, steps: Int,
    needsFrames: Bool, needsPassive: Bool = false, link: SecretDigest? = nil, lock: UnlockPolicyState,
    sealed: EncryptedText?,
    hint: [UInt8]?
  ) {
    self.id = id
    self.receipt = receipt
    self.created = created
    self.mode = mode
    self.avatar = avatar
    self.steps = steps
    self.needsFrames = needsFrames
    self.needsPassive = needsPassive
    self.link = link
    self.lock = lock
    self.sealed = sealed
    self.hint = hint
  }
}

extension MessageRecord: CustomStringConvertible, CustomReflectable {
  public var description: String { "MessageRecord(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension UnixTime {
  /// This time as used by ``UnlockPolicyState``: on a clock whose origin is 1970-01-01T00:00:00Z.
  public var instant: MonotonicInstant {
    let (product, overflow) = milliseconds.multipliedReportingOverflow(by: 1_000_000)
    return MonotonicInstant(nanoseconds: overflow ? (milliseconds < 0 ? .min : .max) : product)
  }

  /// Creates a time from an instant of ``UnlockPolicyState``, in whole milliseconds.
  public init(_ instant: MonotonicInstant) { self.init(milliseconds: instant.nanoseconds / 1_000_000) }
}
