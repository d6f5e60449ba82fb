/// What to tell whoever scans, while they scan.
public struct ScanGuidance: Hashable, Sendable {
  /// What to do now; nil while nothing has to be said.
  public var advice: LocalizedText?
  /// Whether the subject is as far away as the sensor wants it; nil while that is not known.
  public var isInRange: Bool?
  /// How much was seen of the subject's left, its right and from above, 0…1 each.
  public var left: Double
  public var right: Double
  public var top: Double
  /// True when everything was seen, for long enough.
  public var isEnough: Bool

  public init(
    advice: LocalizedText? = nil, isInRange: Bool? = nil, left: Double = 0, right: Double = 0, top: Double = 0,
    isEnough: Bool = false
  ) {
    self.advice = advice
    self.isInRange = isInRange
    self.left = left
    self.right = right
    self.top = top
    self.isEnough = isEnough
  }
}
