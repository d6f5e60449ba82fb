/// What a person has chosen, and what they have done so far on this device.
public struct AppSettings: Codable, Hashable, Sendable {
  /// `bear` or `fox`.
  public var avatar = "bear"
  /// Whether the neutral face is taken first.
  public var calibrates = false
  /// Whether instructions are read aloud.
  public var readsAloud = false
  /// The server's address, where the person may choose it; nil: the app's own.
  public var server: String?
  public var hasSeenTour = false
  public var locked = 0
  public var opened = 0
  public var wrong = 0

  public init() {}

  private enum CodingKeys: String, CodingKey {
    case avatar, calibrates, readsAloud, server, hasSeenTour, locked, opened, wrong
  }

  /// What a version of the app before or after this one wrote is taken as far as it can be read.
  public init(from decoder: any Decoder) throws {
    let box = try decoder.container(keyedBy: CodingKeys.self)
    func read<Value: Decodable>(_ key: CodingKeys, _ value: inout Value) {
      if let found = try? box.decodeIfPresent(Value.self, forKey: key) { value = found }
    }
    read(.avatar, &avatar)
    if !Self.avatars.contains(avatar) { avatar = Self.avatars[0] }
    read(.calibrates, &calibrates)
    read(.readsAloud, &readsAloud)
    server = try? box.decodeIfPresent(String.self, forKey: .server)
    read(.hasSeenTour, &hasSeenTour)
    for (key, path) in [(CodingKeys.locked, \AppSettings.locked), (.opened, \.opened), (.wrong, \.wrong)] {
      if let count = try? box.decodeIfPresent(Int.self, forKey: key) { self[keyPath: path] = max(0, count) }
    }
  }

  /// The avatars that every server draws.
  public static let avatars = ["bear", "fox"]
}
