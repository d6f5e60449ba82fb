/// What a picture's file says of where it comes from. Anybody can write anything there.
public struct ImageProvenance: Codable, Hashable, Sendable {
  /// When the picture was taken, by the clock on the camera's wall: milliseconds since 1970-01-01T00:00:00 of that clock.
  public var wallClock: Int64?
  /// By how many minutes that clock is ahead of UTC, −840…840; nil when the file does not say.
  public var aheadOfUTC: Int?
  /// In degrees north, −90…90, in steps of a thousandth (some hundred metres): nearer nobody needs it here.
  public var latitude: Double?
  /// In degrees east, −180…180, in the same steps; there is one just when there is a latitude.
  public var longitude: Double?

  public init() {}

  /// Milliseconds since 1970-01-01T00:00:00Z; nil without a time or without its zone.
  public var takenAt: Int64? {
    guard let wallClock, let aheadOfUTC else { return nil }
    return wallClock - Int64(aheadOfUTC) * 60_000
  }

  /// True when the file says nothing.
  public var isEmpty: Bool { wallClock == nil && latitude == nil }
}

extension ImageProvenance: CustomStringConvertible, CustomReflectable {
  public var description: String { "PictureNote(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
