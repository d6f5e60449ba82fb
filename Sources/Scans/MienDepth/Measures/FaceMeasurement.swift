/// One distance on a face and how sure it is.
public struct FaceMeasurement: Hashable, Sendable {
  public let measure: FaceMeasure
  /// The median over the views, in metres.
  public let meters: Float
  /// Standard uncertainty in metres: what differs between views and what all views share.
  public let standardUncertainty: Float
  /// The part of ``standardUncertainty`` that more views make smaller: noise of depth and of landmarks.
  public let randomPart: Float
  /// How many views both ends were seen in.
  public let views: Int

  /// Half of the interval that holds the distance with a probability of about 95 % (k = 2), in metres. Errors of scale of
  /// the sensor are not in it: nobody publishes them.
  public var expandedUncertainty: Float { 2 * standardUncertainty }
}

extension FaceMeasurement: CustomStringConvertible, CustomReflectable {
  public var description: String { "FaceMeasurement(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
