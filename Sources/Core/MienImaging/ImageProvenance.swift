/// Origin metadata from an image file. The values are unauthenticated: anyone can write them.
public struct ImageProvenance: Codable, Hashable, Sendable {
  /// Capture time on the camera's local clock: milliseconds since 1970-01-01T00:00:00 in that local time.
  public var wallClock: Int64?
  /// Offset of that clock from UTC in minutes, −840…840, positive if ahead; `nil` if the file does not contain it.
  public var aheadOfUTC: Int?
  /// Degrees north, −90…90, in steps of a thousandth (about a hundred meters): no more precision is needed.
  public var latitude: Double?
  /// Degrees east, −180…180, in the same steps; present exactly when the latitude is.
  public var longitude: Double?

  public init() {}

  /// Capture time in milliseconds since 1970-01-01T00:00:00Z; `nil` without a time or time zone.
  public var takenAt: Int64? {
    guard let wallClock, let aheadOfUTC else { return nil }
    return wallClock - Int64(aheadOfUTC) * 60_000
  }

  /// `true` if the file contains no origin metadata.
  public var isEmpty: Bool { wallClock == nil && latitude == nil }
}

extension ImageProvenance: CustomStringConvertible, CustomReflectable {
  public var description: String { "ImageProvenance(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
