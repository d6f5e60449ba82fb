public import MienAuthenticity

/// The members of a capture's metadata that the server reads; others are stored as received and have no meaning here.
public struct CaptureMetadata: Hashable, Sendable {
  /// Capture time according to the device, in milliseconds since 1970-01-01T00:00:00Z.
  public var capturedAt: Int64?
  /// Location according to the device.
  public var place: Place?
  /// Summary of the device's own detection; `nil` unless the metadata has `detection_available`.
  public var summary: DetectionSummary?

  /// Times at which the images of a burst were taken, in milliseconds of any clock, strictly increasing and all within
  /// a minute.
  public var burstTimes: [Int64]?

  public struct Place: Codable, Hashable, Sendable {
    /// Latitude in degrees north, −90…90.
    public let latitude: Double
    /// Longitude in degrees east, −180…180.
    public let longitude: Double

    public init(latitude: Double, longitude: Double) {
      self.latitude = latitude
      self.longitude = longitude
    }
  }

  public init(
    capturedAt: Int64? = nil, place: Place? = nil, summary: DetectionSummary? = nil, burstTimes: [Int64]? = nil
  ) {
    self.capturedAt = capturedAt
    self.place = place
    self.summary = summary
    self.burstTimes = burstTimes
  }
}

extension CaptureMetadata: Codable {
  private enum CodingKeys: String, CodingKey {
    case capturedAt = "captured_at_ms"
    case place = "location"
    case summary
    case burstTimes = "burst_times"
    case available = "detection_available"
  }

  /// - Throws: `DecodingError` for a known member of another type or out of range.
  public init(from decoder: any Decoder) throws {
    let box = try decoder.container(keyedBy: CodingKeys.self)
    capturedAt = try box.decodeIfPresent(Int64.self, forKey: .capturedAt)
    place = try box.decodeIfPresent(Place.self, forKey: .place)
    summary = try box.contains(.available) ? DetectionSummary(from: decoder) : nil
    burstTimes = try box.decodeIfPresent([Int64].self, forKey: .burstTimes)
    let years: ClosedRange<Int64> = 0...253_402_300_799_999
    if let capturedAt, !years.contains(capturedAt) { throw Self.outOfRange(.capturedAt, in: box) }
    // A burst ends within a minute.
    if let times = burstTimes,
      times.count > 256 || !times.allSatisfy(years.contains) || !zip(times, times.dropFirst()).allSatisfy(<)
        || (times.first ?? .zero) + 60_000 < (times.last ?? .zero)
    {
      throw Self.outOfRange(.burstTimes, in: box)
    }
    if let place, !(-90...90).contains(place.latitude) || !(-180...180).contains(place.longitude) {
      throw Self.outOfRange(.place, in: box)
    }
  }

  public func encode(to encoder: any Encoder) throws {
    try summary?.encode(to: encoder)
    var box = encoder.container(keyedBy: CodingKeys.self)
    try box.encodeIfPresent(capturedAt, forKey: .capturedAt)
    try box.encodeIfPresent(place, forKey: .place)
    try box.encodeIfPresent(burstTimes, forKey: .burstTimes)
  }

  private static func outOfRange(
    _ key: CodingKeys, in box: KeyedDecodingContainer<CodingKeys>
  ) -> DecodingError {
    .dataCorruptedError(forKey: key, in: box, debugDescription: "out of range")
  }
}
