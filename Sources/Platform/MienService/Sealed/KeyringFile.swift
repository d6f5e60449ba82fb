internal import Foundation

/// What is left of a key of the seal that is no more: the part that opens what cannot be sealed anew.
struct RetiredKeyMaterial: Hashable, Sendable {
  enum Use: String, CaseIterable, Sendable {
    /// The links of the audit log, up to an entry's number.
    case audit
    /// The server's part of messages' keys, of messages that were made until a time in milliseconds since 1970.
    case messages
    /// Secrets in tokens of sessions that were made until a time in milliseconds since 1970.
    case tokens
    /// Wrapped keys of uploads of scans that were begun until a time in milliseconds since 1970.
    case uploads
    /// Wrapped keys of reels that were begun until a time in milliseconds since 1970.
    case frameLogs = "reels"
  }

  let use: Use
  /// 32 bytes.
  let key: [UInt8]
  let until: Int64
}

/// The file of a seal: 32 bytes, one key, or lines of text (Documentation/Formats/KeyringFile.md) once keys were rotated.
public struct KeyringFile: Sendable, CustomStringConvertible, CustomReflectable {
  private static let heading = "mien-seal 2"

  /// The newest first; at least one, 32 bytes each.
  var keys: [[UInt8]]
  var remains: [RetiredKeyMaterial] = []

  init(keys: [[UInt8]], remains: [RetiredKeyMaterial] = []) {
    self.keys = keys
    self.remains = remains
  }

  /// Refuses (nil) what is no seal.
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

  /// The file's content: 32 bytes while there is nothing but one key, so that versions from before rotation read it.
  public var bytes: [UInt8] {
    if keys.count == 1, remains.isEmpty { return keys[0] }
    let lines =
      [Self.heading] + keys.map { "key \(Data($0).base64EncodedString())" }
      + remains.map { "\($0.use.rawValue) \(Data($0.key).base64EncodedString()) \($0.until)" }
    return Array((lines.joined(separator: "\n") + "\n").utf8)
  }

  // MARK: - Rotation

  /// The sessions whose tokens may be asked for again are over by then, in milliseconds, and the films of their reels are made:
  /// none lives longer than a day.
  private static let longestSession: Int64 = 2 * 86_400_000

  /// True from when a new key was added until nothing is under an older one.
  public var isRotating: Bool { keys.count > 1 }

  /// True when parts of keys that are no more are kept, but for those of the audit log, which are kept for good.
  public var hasRemains: Bool { remains.contains { $0.use != .audit } }

  /// Adds a key that seals from now on, and keeps the parts of the one before that open what cannot be sealed anew.
  ///
  /// - Parameters:
  ///   - key: 32 bytes.
  ///   - entries: how many the audit log has.
  public mutating func begin(_ key: [UInt8], at time: UnixTime, entries: Int64) {
    let old = keys[0]
    for use in RetiredKeyMaterial.Use.allCases {
      guard let part = MasterKey.remains(use, of: old) else { continue }
      remains.append(RetiredKeyMaterial(use: use, key: part, until: use == .audit ? entries : time.milliseconds))
    }
    keys.insert(key, at: 0)
  }

  /// Drops all keys but the newest, under which everything is by now.
  public mutating func end() { keys = [keys[0]] }

  /// Drops the parts of old keys that nothing needs any more.
  ///
  /// - Parameters:
  ///   - lockedMessages: how many messages that were made until a time can still be opened.
  ///   - waitingScans: how many scans that were begun until a time wait for files.
  public mutating func forget(
    at now: UnixTime, lockedMessages: (UnixTime) async throws -> Int, waitingScans: (UnixTime) async throws -> Int
  ) async throws {
    var kept: [RetiredKeyMaterial] = []
    for part in remains {
      let until = UnixTime(milliseconds: part.until)
      switch part.use {
      case .audit: kept.append(part)
      case .tokens, .frameLogs: if now.milliseconds - part.until <= Self.longestSession { kept.append(part) }
      case .messages: if try await lockedMessages(until) > 0 { kept.append(part) }
      case .uploads: if try await waitingScans(until) > 0 { kept.append(part) }
      }
    }
    remains = kept
  }

  public var description: String { "SealFile(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
