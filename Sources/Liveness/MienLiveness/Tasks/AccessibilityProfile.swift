/// Actions that a subject can perform, as far as tasks require them.
///
/// No task requires a smile, color vision, or hearing. An action that is not in the set is not requested: see
/// ``LivenessTask/twin(for:using:)``.
public struct AccessibilityProfile: OptionSet, Hashable, Sendable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// Turning, nodding, and tilting the head.
  public static let neck = AccessibilityProfile(rawValue: 1)
  /// Closing and opening both eyes at will.
  public static let eyelids = AccessibilityProfile(rawValue: 2)
  /// Opening and closing the mouth at will.
  public static let mouth = AccessibilityProfile(rawValue: 4)
  /// Seeing a moving dot on the screen; all other instructions can be given in words.
  public static let sight = AccessibilityProfile(rawValue: 8)

  public static let all: AccessibilityProfile = [.neck, .eyelids, .mouth, .sight]
}
