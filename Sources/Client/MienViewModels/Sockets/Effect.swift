/// Something for the platform to perform; flows say what and when, never how.
public enum Effect: Hashable, Sendable {
  case haptic(Haptic)
  /// To be read aloud, where the person wants that; a key of the texts with its values.
  case say(LocalizedText)
  /// To be handed to the platform's share sheet.
  case share(SharedFile)

  /// What a hand feels.
  public enum Haptic: String, Hashable, Sendable, CaseIterable {
    /// One part is done: an expression was seen, a photo was taken.
    case step
    /// All of it is done.
    case success
    /// It did not work.
    case failure
    /// The distance is right now.
    case inRange
  }
}

/// A file to be shared.
public struct SharedFile: Hashable, Sendable {
  public var name: String
  /// Its media type.
  public var type: String
  public var bytes: [UInt8]

  public init(name: String, type: String, bytes: [UInt8]) {
    self.name = name
    self.type = type
    self.bytes = bytes
  }
}

extension SharedFile: CustomStringConvertible, CustomReflectable {
  public var description: String { "SharedFile(\(name), \(bytes.count) bytes)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Takes what flows want performed.
@MainActor public final class EffectHandler {
  private let perform: @MainActor (Effect) -> Void

  public init(_ perform: @escaping @MainActor (Effect) -> Void = { _ in }) {
    self.perform = perform
  }

  func feel(_ haptic: Effect.Haptic) { perform(.haptic(haptic)) }
  func say(_ text: LocalizedText) { perform(.say(text)) }
  func share(_ file: SharedFile) { perform(.share(file)) }
}
