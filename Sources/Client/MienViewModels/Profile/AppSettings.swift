internal import Foundation

/// User settings and usage counts on this device.
public struct AppSettings: Codable, Hashable, Sendable {
  /// `bear` or `fox`.
  public var avatar = "bear"
  /// `true` to read instructions aloud.
  public var readsAloud = false
  /// `true` to perform expressions with the device's own face tracker, where there is one and the server allows it.
  public var usesTracker = true
  /// `true` to analyze photos on the device before they are sent.
  public var analyzesPhotos = true
  /// Server address, if the user can choose it; `nil` for the app's default.
  public var server: String?
  /// Pseudonym of the person who was enrolled on this device; its checks name it. `nil` for none.
  public var person: String?
  public var hasSeenTour = false
  public var locked = 0
  public var opened = 0
  public var wrong = 0

  public init() {}

  private enum CodingKeys: String, CodingKey {
    case avatar, readsAloud, usesTracker, analyzesPhotos, server, person, hasSeenTour, locked, opened, wrong
  }

  /// Decodes stored settings; missing and unreadable values keep their defaults.
  public init(from decoder: any Decoder) throws {
    let box = try decoder.container(keyedBy: CodingKeys.self)
    func read<Value: Decodable>(_ key: CodingKeys, _ value: inout Value) {
      if let found = try? box.decodeIfPresent(Value.self, forKey: key) { value = found }
    }
    read(.avatar, &avatar)
    if !Self.avatars.contains(avatar) { avatar = Self.avatars[0] }
    read(.readsAloud, &readsAloud)
    read(.usesTracker, &usesTracker)
    read(.analyzesPhotos, &analyzesPhotos)
    server = try? box.decodeIfPresent(String.self, forKey: .server)
    person = try? box.decodeIfPresent(String.self, forKey: .person)
    read(.hasSeenTour, &hasSeenTour)
    for (key, path) in [(CodingKeys.locked, \AppSettings.locked), (.opened, \.opened), (.wrong, \.wrong)] {
      if let count = try? box.decodeIfPresent(Int.self, forKey: key) { self[keyPath: path] = max(0, count) }
    }
  }

  /// Avatars available on every server.
  public static let avatars = ["bear", "fox"]
}

/// Stores values of view models as JSON. Unreadable values count as missing, so that they never prevent a start.
struct PreferencesStore: Sendable {
  let store: any FlowStore

  func read<Value: Decodable>(_ name: String, as: Value.Type = Value.self) -> Value? {
    store.read(name).flatMap { try? JSONDecoder().decode(Value.self, from: Data($0)) }
  }

  /// - Throws: the store's errors.
  func save(_ name: String, _ value: (some Encodable)?) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    try store.write(name, try value.map { Array(try encoder.encode($0)) })
  }
}

/// Persistent storage for a few small values by name.
public protocol FlowStore: Sendable {
  /// Returns the value, or `nil` if there is none or it cannot be read.
  func read(_ name: String) -> [UInt8]?
  /// Saves a value; `nil` deletes it.
  ///
  /// - Throws: ``ViewError/lowStorage`` if the disk is full, any other error if the value cannot be saved.
  func write(_ name: String, _ value: [UInt8]?) throws
}
