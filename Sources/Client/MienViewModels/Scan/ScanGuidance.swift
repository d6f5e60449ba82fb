/// Guidance for the operator during a scan.
public struct ScanGuidance: Hashable, Sendable {
  /// Current advice; `nil` if there is none.
  public var advice: LocalizedText?
  /// `true` if the subject is within the sensor's range; `nil` if the distance is unknown.
  public var isInRange: Bool?
  /// Coverage of the subject's left side, right side and top, 0…1 each.
  public var left: Double
  public var right: Double
  public var top: Double
  /// `true` when all sides are covered and the scan is long enough.
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
