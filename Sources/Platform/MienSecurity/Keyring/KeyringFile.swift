public import MienPlatform
internal import Foundation

/// The retained part of a retired master key, which decrypts data that cannot be re-encrypted.
struct RetiredKeyMaterial: Hashable, Sendable {
  enum Use: String, CaseIterable, Sendable {
    /// The chain of the audit log, up to an entry number.
    case audit
    /// The server's part of message keys, for messages created until a time in milliseconds since 1970.
    case messages
    /// Secrets in tokens of sessions created until a time in milliseconds since 1970.
    case tokens
    /// Wrapped keys of frame logs started until a time in milliseconds since 1970.
    case frameLogs = "frame-logs"
  }

  let use: Use
  /// 32 bytes.
  let key: [UInt8]
  let until: Int64
}

/// The file of a master keyring: 32 bytes for a single key, or lines of text (Documentation/reference/formats/KeyringFile.md)
/// after key rotation.
public struct KeyringFile: Sendable, CustomStringConvertible, CustomReflectable {
  private static let heading = "mien-keyring 1"

  /// The keys, newest first; at least one, 32 bytes each.
  var keys: [[UInt8]]
  var remains: [RetiredKeyMaterial] = []

  init(keys: [[UInt8]], remains: [RetiredKeyMaterial] = []) {
    self.keys = keys
    self.remains = remains
  }

  /// Returns `nil` if the content is not a keyring.
  public init?(_ bytes: [UInt8]) {
    guard bytes.count != 32 else {
      self.init(keys: [bytes])
      return
    }
    var lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)[...]
    guard lines.popFirst() == Self.heading[...], lines.popLast() == "" else { return nil }
    self.init(keys: [])
    for line in lines {
      let words = line.split(separator: " ", omittingEmptySubsequences: false)
      guard words.count >= 2, let data = Data(base64Encoded: String(words[1])), data.count == 32 else { return nil }
      if words[0] == "key", words.count == 2 {
        keys.append(Array(data))
      } else if let use = RetiredKeyMaterial.Use(rawValue: String(words[0])), words.count == 3,
        let until = Int64(words[2])
      {
        remains.append(RetiredKeyMaterial(use: use, key: Array(data), until: until))
      } else {
        return nil
      }
    }
    guard !keys.isEmpty else { return nil }
  }

  /// The file's content: 32 bytes if there is only one key.
  public var bytes: [UInt8] {
    if keys.count == 1, remains.isEmpty { return keys[0] }
    let lines =
      [Self.heading] + keys.map { "key \(Data($0).base64EncodedString())" }
      + remains.map { "\($0.use.rawValue) \(Data($0.key).base64EncodedString()) \($0.until)" }
    return Array((lines.joined(separator: "\n") + "\n").utf8)
  }

  // MARK: - Rotation

  /// Time in milliseconds after which sessions with reissuable tokens have ended and the clips of their frame logs are
  /// encoded: no session lasts longer than a day.
  private static let longestSession: Int64 = 2 * 86_400_000

  /// `true` from adding a new key until no data is under an older one.
  public var isRotating: Bool { keys.count > 1 }

  /// `true` if parts of retired keys are stored, except those of the audit log, which are permanent.
  public var hasRemains: Bool { remains.contains { $0.use != .audit } }

  /// Adds a key for encryption, and retains the parts of the previous one for data that cannot be re-encrypted.
  ///
  /// - Parameters:
  ///   - key: 32 bytes.
  ///   - entries: number of entries in the audit log.
  public mutating func begin(_ key: [UInt8], at time: UnixTime, entries: Int64) {
    let old = keys[0]
    for use in RetiredKeyMaterial.Use.allCases {
      guard let part = MasterKey.remains(use, of: old) else { continue }
      remains.append(RetiredKeyMaterial(use: use, key: part, until: use == .audit ? entries : time.milliseconds))
    }
    keys.insert(key, at: 0)
  }

  /// Removes all keys but the newest; all data must be under it.
  public mutating func end() { keys = [keys[0]] }

  /// Removes the parts of retired keys that are no longer needed.
  ///
  /// - Parameter lockedMessages: returns the number of messages created until a time that can still be opened.
  public mutating func remove(at now: UnixTime, lockedMessages: (UnixTime) async throws -> Int) async throws {
    var kept: [RetiredKeyMaterial] = []
    for part in remains {
      let until = UnixTime(milliseconds: part.until)
      switch part.use {
      case .audit: kept.append(part)
      case .tokens, .frameLogs: if now.milliseconds - part.until <= Self.longestSession { kept.append(part) }
      case .messages: if try await lockedMessages(until) > 0 { kept.append(part) }
      }
    }
    remains = kept
  }

  public var description: String { "KeyringFile(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
