public import MienAvatars

/// The avatars that a server has, loaded when they are first asked for.
public struct AvatarCache: Sendable {
  /// Their plain names.
  public let names: [String]
  let load: @Sendable (String) throws -> SpriteSheet

  /// - Parameter load: reads the sheet of one of `names`.
  public init(names: [String], load: @Sendable @escaping (String) throws -> SpriteSheet) {
    self.names = names
    self.load = load
  }
}
