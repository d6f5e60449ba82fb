public import MienAvatars

/// The avatars of a server, loaded on first use.
public struct AvatarCache: Sendable {
  /// Names of the avatars.
  public let names: [String]
  let load: @Sendable (String) throws -> SpriteSheet

  /// - Parameter load: reads the sheet of one of `names`.
  public init(names: [String], load: @Sendable @escaping (String) throws -> SpriteSheet) {
    self.names = names
    self.load = load
  }
}
