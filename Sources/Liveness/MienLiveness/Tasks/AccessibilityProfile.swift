/// What a person can do, as far as tasks ask for it.
///
/// No task asks for a smile, for colour vision or for hearing. What is not in the set is not asked: see
/// ``LivenessTask/twin(for:using:)``.
public struct AccessibilityProfile: OptionSet, Hashable, Sendable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// Turns, nods and tilts the head.
  public static let neck = AccessibilityProfile(rawValue: 1)
  /// Closes both eyes and opens them at will.
  public static let eyelids = AccessibilityProfile(rawValue: 2)
  /// Opens and closes the mouth at will.
  public static let mouth = AccessibilityProfile(rawValue: 4)
  /// Sees a moving dot on the screen; everything else can be told in words.
  public static let sight = AccessibilityProfile(rawValue: 8)

  public static let all: AccessibilityProfile = [.neck, .eyelids, .mouth, .sight]
}
