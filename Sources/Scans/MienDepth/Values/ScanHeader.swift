/// What holds for a whole scan: who measured, in which size and unit, and how its poses and times are meant.
public struct ScanHeader: Hashable, Sendable {
  /// The device's name as its maker writes it, for example `iPhone 13 Pro`; at most 200 bytes, empty when unknown.
  public let device: String
  public let sensor: ScanSensor
  /// Size of every depth map, in pixels.
  public let width: Int
  public let height: Int
  /// What one step of a depth sample is worth, in micrometres: 1000 for millimetre maps, 100 for maps of 0.1 mm.
  public let micrometersPerStep: Int
  public let world: WorldAlignment
  public let clock: ScanClock

  /// Most samples of a depth map.
  public static let largestArea = 1 << 22

  /// Refuses (nil) sizes outside 1…4096 or of more than ``largestArea`` samples, units outside 1…1 000 000 micrometres, and names over 200 bytes.
  public init?(
    device: String, sensor: ScanSensor, width: Int, height: Int, micrometersPerStep: Int, world: WorldAlignment,
    clock: ScanClock
  ) {
    guard (1...4096).contains(width), (1...4096).contains(height), width * height <= Self.largestArea,
      (1...1_000_000).contains(micrometersPerStep), device.utf8.count <= 200
    else { return nil }
    self.device = device
    self.sensor = sensor
    self.width = width
    self.height = height
    self.micrometersPerStep = micrometersPerStep
    self.world = world
    self.clock = clock
  }

  /// Samples of one depth map.
  public var area: Int { width * height }
  /// What one step of a depth sample is worth, in metres.
  public var metersPerStep: Float { Float(micrometersPerStep) / 1_000_000 }
}

/// What measured the depth. It decides which distances are good (see ``ScanQualitySettings``).
public enum ScanSensor: String, Hashable, Sendable, CaseIterable {
  /// The rear scanner of an iPhone or iPad.
  case lidar
  /// The front camera of an iPhone or iPad.
  case trueDepth = "true-depth"
  /// Another structured-light or time-of-flight camera, as those of the TUM recordings.
  case depthCamera = "depth-camera"
  case unknown
}

/// Which way the world of a scan's poses stands. Poses are right-handed and in metres in either case.
public enum WorldAlignment: String, Hashable, Sendable, CaseIterable {
  /// y points up, against gravity, as in ARKit.
  case yUp = "y-up"
  /// z points up, as in the TUM recordings.
  case zUp = "z-up"
  /// Nothing is known, or there are no poses.
  case unlevelled
}

/// What a scan's timestamps count from.
public enum ScanClock: String, Hashable, Sendable, CaseIterable {
  /// Since 1970-01-01 00:00 UTC.
  case unix
  /// Since the device was started.
  case boot
  /// Since the scan's first frame, or from an origin that nobody told.
  case start
}
