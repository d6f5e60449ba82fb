import MienScanFormat
import MienReconstruction
import MienCore
import Testing

/// Guidance during a scan.
@Suite struct `Scan guidance` {
  /// Simulated sensor that moves around a subject at the origin, at twenty frames per second.
  private struct Walk {
    var guide: ScanGuidanceEngine
    var time = 0.0
    var azimuth: Float = 0
    var height: Float = 0
    var radius: Float = 0.7
    var confidence: UInt8? = 2
    var isMeasured = true
    var hasPose = true
    /// Advice in order of appearance.
    var adviceLog: [ScanGuidanceEngine.Advice?] = []
    /// Number of changes within a second of the previous one.
    var flickers = 0
    private var lastChange = -9.0

    init(_ sensor: ScanSensor = .lidar) throws {
      guide = ScanGuidanceEngine(
        try #require(
          ScanHeader(
            device: "", sensor: sensor, width: 16, height: 12, micrometersPerStep: 1000, world: .yUp, clock: .boot)))
    }

    /// Sine and cosine of an angle in degrees by Taylor series, because these tests link no math library.
    private static func turn(_ degrees: Float) -> (sine: Float, cosine: Float) {
      let x = Double(degrees) * .pi / 180
      var (sine, cosine, term) = (0.0, 0.0, 1.0)
      for n in 0..<24 {
        switch n % 4 {
        case 0: cosine += term
        case 1: sine += term
        case 2: cosine -= term
        default: sine -= term
        }
        term *= x / Double(n + 1)
      }
      return (Float(sine), Float(cosine))
    }

    mutating func see() throws {
      let (sine, cosine) = Self.turn(azimuth)
      let (sineUp, cosineUp) = Self.turn(height)
      let back: SIMD3<Float> = [sine * cosineUp, sineUp, cosine * cosineUp]
      let pose = try CameraPose(
        right: [cosine, 0, -sine], up: [-sine * sineUp, cosineUp, -cosine * sineUp], back: back, position: back * radius
      )
      let frame = try #require(
        ScanFrame(
          width: 16, height: 12, depth: [UInt16](repeating: isMeasured ? UInt16(radius * 1000) : 0, count: 192),
          confidence: confidence.map { [UInt8](repeating: $0, count: 192) }, pose: hasPose ? pose : nil,
          intrinsics: PinholeIntrinsics(fx: 12, fy: 12, cx: 8, cy: 6), at: .zero + .milliseconds(time * 1000)))
      let before = guide.advice
      let changed = guide.see(frame)
      #expect(changed == (guide.advice != before))
      if changed {
        adviceLog.append(guide.advice)
        if time - lastChange < 0.3 { flickers += 1 }
        lastChange = time
      }
      time += 0.05
    }

    /// Moves to a position within a number of seconds.
    mutating func go(_ azimuth: Float? = nil, height: Float? = nil, radius: Float? = nil, in seconds: Double) throws {
      let count = max(1, Int((seconds / 0.05).rounded()))
      let from = (self.azimuth, self.height, self.radius)
      for step in 1...count {
        let share = Float(step) / Float(count)
        self.azimuth = from.0 + ((azimuth ?? from.0) - from.0) * share
        self.height = from.1 + ((height ?? from.1) - from.1) * share
        self.radius = from.2 + ((radius ?? from.2) - from.2) * share
        try see()
      }
    }
  }

  @Test func `following the guidance gives four messages and completes`() throws {
    var walk = try Walk()
    try walk.go(in: 1)
    #expect(walk.guide.advice == .showLeft)
    try walk.go(40, in: 3)
    try walk.go(0, in: 3)
    #expect(walk.guide.advice == .showRight)
    try walk.go(-40, in: 3)
    try walk.go(0, in: 3)
    #expect(walk.guide.advice == .showTop && walk.guide.seen.left == 1 && walk.guide.seen.top < 1)
    try walk.go(height: 30, in: 3)
    try walk.go(in: 1)
    #expect(walk.adviceLog == [.showLeft, .showRight, .showTop, .enough])
    #expect(walk.guide.seen.isEverything && walk.guide.isInRange == true && walk.flickers == 0)
  }

  @Test func `frame quality problems take priority and are cleared when resolved`() throws {
    var walk = try Walk()
    try walk.go(in: 1)
    try walk.go(radius: 1.4, in: 3)
    #expect(walk.guide.advice == .comeNearer && walk.guide.isInRange == false)
    try walk.go(radius: 0.4, in: 4)
    try walk.go(in: 1)
    #expect(walk.guide.advice == .goBack)
    try walk.go(radius: 0.7, in: 3)
    walk.isMeasured = false
    try walk.go(in: 1)
    #expect(walk.guide.advice == .findSubject && walk.guide.distance == nil)
    walk.isMeasured = true
    walk.confidence = 0
    try walk.go(in: 1)
    #expect(walk.guide.advice == .findLight)
    walk.confidence = 2
    walk.hasPose = false
    try walk.go(in: 1)
    #expect(walk.guide.advice == .findPlace)
    walk.hasPose = true
    try walk.go(in: 1)
    try walk.go(60, in: 1)
    #expect(walk.guide.advice == .slower)
    try walk.go(in: 1)
    #expect(walk.guide.advice == .showRight && walk.flickers == 0, "\(walk.adviceLog)")
  }

  @Test func `guidance does not flicker at a threshold`() throws {
    var walk = try Walk()
    for step in 0..<200 {
      // In and out of range by 1.5 cm, ten times per second.
      walk.radius = step.isMultiple(of: 2) ? 0.99 : 1.012
      try walk.see()
    }
    #expect(walk.adviceLog.count <= 3, "\(walk.adviceLog)")
    // A single frame of each kind changes nothing.
    var other = try Walk()
    try other.go(in: 1)
    let adviceLog = other.adviceLog
    for _ in 0..<10 {
      other.isMeasured = false
      try other.see()
      other.isMeasured = true
      try other.go(in: 0.5)
    }
    #expect(other.adviceLog == adviceLog)
  }

  @Test func `coverage of a long scan is compact and persistent`() throws {
    var walk = try Walk()
    try walk.go(in: 1)
    try walk.go(40, in: 3)
    let left = walk.guide.seen.left
    for _ in 0..<40 {
      try walk.go(10, in: 2)
      try walk.go(-5, in: 2)
    }
    #expect(left == 1 && walk.guide.seen.left == 1)
    try walk.go(-40, in: 3)
    try walk.go(0, in: 3)
    try walk.go(height: 30, in: 3)
    try walk.go(in: 1)
    #expect(walk.guide.advice == .enough)
  }

  @Test func `without poses no movement is advised, and a front camera has its own range`() throws {
    var walk = try Walk(.trueDepth)
    walk.hasPose = false
    walk.confidence = nil
    walk.radius = 0.35
    try walk.go(in: 2)
    #expect(walk.adviceLog.isEmpty && walk.guide.isInRange == true)
    try walk.go(radius: 0.7, in: 1)
    try walk.go(in: 1)
    #expect(walk.adviceLog == [.comeNearer])
    // Frames with decreasing or equal timestamps are ignored.
    walk.time = 0
    try walk.see()
    walk.time = 0
    try walk.see()
    #expect(walk.guide.advice == .comeNearer)
  }
}
