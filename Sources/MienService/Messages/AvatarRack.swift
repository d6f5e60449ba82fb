public import MienAvatars

/// The avatars that a server has, loaded when they are first asked for.
public struct AvatarRack: Sendable {
  /// Their plain names.
  public let names: [String]
  let load: @Sendable (String) throws -> AvatarSheet

  /// - Parameter load: reads the sheet of one of `names`.
  public init(names: [String], load: @Sendable @escaping (String) throws -> AvatarSheet) {
    self.names = names
    self.load = load
  }
}
