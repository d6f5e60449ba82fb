/// A distance on a face and its uncertainty.
public struct FaceMeasurement: Hashable, Sendable {
  public let measure: FaceMeasure
  /// Median over the views, in meters.
  public let meters: Float
  /// Standard uncertainty in meters, including the part that differs between views and the part common to all views.
  public let standardUncertainty: Float
  /// Part of ``standardUncertainty`` that decreases with more views: noise of depth and landmarks.
  public let randomPart: Float
  /// Number of views in which both endpoints were visible.
  public let views: Int

  /// Half-width, in meters, of the interval that contains the distance with a probability of about 95 % (k = 2). The
  /// sensor's scale error is not included, because no manufacturer publishes it.
  public var expandedUncertainty: Float { 2 * standardUncertainty }
}

extension FaceMeasurement: CustomStringConvertible, CustomReflectable {
  public var description: String { "FaceMeasurement(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
