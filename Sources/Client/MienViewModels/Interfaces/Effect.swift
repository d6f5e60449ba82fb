/// Side effect to be performed by the platform.
public enum Effect: Hashable, Sendable {
  case haptic(Haptic)
  /// Text to read aloud, if the user enabled that.
  case say(LocalizedText)
  /// File for the platform's share sheet.
  case share(SharedFile)

  /// Haptic feedback.
  public enum Haptic: String, Hashable, Sendable, CaseIterable {
    /// One step is complete: an expression was recognized, a photo was taken.
    case step
    /// All steps are complete.
    case success
    /// The operation failed.
    case failure
    /// The subject is now within range.
    case inRange
  }
}

/// File to share.
public struct SharedFile: Hashable, Sendable {
  public var name: String
  /// Media type.
  public var type: String
  public var bytes: [UInt8]
  /// Text to send along, such as a link; `nil` for the file alone.
  public var text: String?

  public init(name: String, type: String, bytes: [UInt8], text: String? = nil) {
    self.text = text
    self.name = name
    self.type = type
    self.bytes = bytes
  }
}

extension SharedFile: CustomStringConvertible, CustomReflectable {
  public var description: String { "SharedFile(\(name), \(bytes.count) bytes)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Performs the effects of view models.
@MainActor public final class EffectHandler {
  private let perform: @MainActor (Effect) -> Void

  public init(_ perform: @escaping @MainActor (Effect) -> Void = { _ in }) {
    self.perform = perform
  }

  func feel(_ haptic: Effect.Haptic) { perform(.haptic(haptic)) }
  func say(_ text: LocalizedText) { perform(.say(text)) }
  func share(_ file: SharedFile) { perform(.share(file)) }
}
