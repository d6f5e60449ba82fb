public import MienScanFormat

/// Reconstructs a surface from a scan, frame by frame.
///
/// Each frame is filtered, registered to the surface fused so far, and fused. Processing is synchronous, one frame at a
/// time, so the caller can report progress and stop between frames.
public struct Reconstructor: Sendable {
  public let settings: ReconstructionSettings
  let tracking: TrackingSettings
  private let metersPerStep: Float
  private var volume: VoxelVolume
  private(set) var report = ReconstructionReport()
  private var sums = (before: Float.zero, after: Float.zero)
  /// Number of frames in the second sum.
  private var measured = 0
  /// Previous frame and its pose, and the pose before it.
  private var previous: (map: DepthMap, pose: CameraPose, given: CameraPose?)?
  private var beforePrevious: CameraPose?
  /// First frame, for measuring the final drift.
  private var first: (map: DepthMap, pose: CameraPose)?
  /// State for loop closure.
  private(set) var keyframes = Keyframes()
  private var depthMaps = DepthMapBuffer()
  /// Maps still to be fused again, in reverse order.
  private var again: [(frame: Int, map: CompactDepthMap)] = []
  /// Poses provided by the device, one for each of ``poses``.
  private(set) var givenPoses: [CameraPose?] = []
  /// Estimated poses of the frames, in the order in which they were added; nil for skipped frames.
  public private(set) var poses: [CameraPose?] = []
  /// Number of frames since the last one that was registered.
  private var lostInARow = 0
  /// The piece with the most frames before the current one, if the camera's path was lost.
  private var otherPiece: [Reconstructor] = []

  /// Returns nil for voxel sizes and truncation distances out of range (see ``VoxelVolume``).
  public init?(_ header: ScanHeader, settings: ReconstructionSettings = ReconstructionSettings()) {
    guard
      let volume = VoxelVolume(
        voxel: settings.voxel, truncation: settings.truncation(for: header.sensor),
        largestBlockCount: settings.largestBlockCount)
    else { return nil }
    self.volume = volume
    var settings = settings
    if header.sensor == .lidar, settings.filter.outliersAllowedInFront == nil {
      settings.filter.outliersAllowedInFront = 5
    }
    self.settings = settings
    tracking = settings.tracking ?? TrackingSettings(for: header.sensor)
    metersPerStep = header.metersPerStep
  }

  /// Adds a frame of the scan.
  ///
  /// - Throws: ``ReconstructionError`` if the volume is full or the frame is too large.
  public mutating func add(_ frame: ScanFrame) throws(ReconstructionError) {
    var filter = settings.filter
    while true {
      guard let map = DepthMap(frame, metersPerStep: metersPerStep, keeping: filter) else {
        throw ReconstructionError(.mapTooLarge, "a depth map has more than four million samples")
      }
      // If hardly any sample has enough confidence, accepts lower confidence.
      if filter.leastConfidence == 0 || map.validCount * 10 >= map.width * map.height {
        return try add(map, from: frame.pose)
      }
      filter.leastConfidence -= 1
    }
  }

  /// Adds a depth map in meters; `given` is the pose provided by the device, if any.
  ///
  /// - Throws: ``ReconstructionError`` if the volume is full.
  public mutating func add(_ map: DepthMap, from given: CameraPose?) throws(ReconstructionError) {
    var map = map
    map.dropEdges(settings.filter)
    givenPoses.append(given)
    guard map.validCount >= 100 else {
      report.framesEmpty += 1
      poses.append(nil)
      return
    }
    var found = place(map, given)
    if found == nil, lostInARow + 1 >= Self.patience, givenPoses.allSatisfy({ $0 == nil }) {
      startPiece()
      found = .identity
    }
    guard let pose = found else {
      lostInARow += 1
      report.framesLost += 1
      poses.append(nil)
      return
    }
    lostInARow = 0
    try volume.fuse(map, from: pose)
    report.framesFused += 1
    poses.append(pose)
    if settings.closesLoops, settings.refinesPoses {
      let kept = CompactDepthMap(map, metersPerStep: metersPerStep)
      depthMaps.put(kept, frame: poses.count - 1)
      keyframes.see(map, kept: kept, at: pose, isGiven: given != nil, frame: poses.count - 1)
    }
    if first == nil { first = (map, pose) }
    beforePrevious = previous?.pose
    previous = (map, pose, given)
  }

  /// Number of consecutive frames that may be lost before a new piece is started; a single blurred frame is skipped.
  private static let patience = 3

  /// Starts a new piece of the surface with the current frame, because its position relative to the previous frames is
  /// unknown. The piece with the most frames is kept.
  private mutating func startPiece() {
    let pieces = report.pieces + 1
    if report.framesFused > otherPiece.first?.report.framesFused ?? 0 {
      var piece = self
      piece.otherPiece = []
      otherPiece = [piece]
    }
    let (empty, fused) = (report.framesEmpty, report.framesFused)
    let lost = report.framesLost + fused
    report = ReconstructionReport()
    (report.framesEmpty, report.framesLost, report.pieces) = (empty, lost, pieces)
    (sums, measured) = ((0, 0), 0)
    (previous, beforePrevious, first) = (nil, nil, nil)
    (keyframes, depthMaps) = (Keyframes(), DepthMapBuffer())
    poses = Array(repeating: nil, count: poses.count)
    volume.clear()
  }

  /// Makes the piece with the most frames the current one; frames of the others count as lost.
  mutating func chooseLargestPiece() {
    guard let piece = otherPiece.first else { return }
    otherPiece = []
    guard piece.report.framesFused > report.framesFused else { return }
    let (given, pieces, empty) = (givenPoses, report.pieces, report.framesEmpty)
    let total = report.framesFused + report.framesLost
    self = piece
    givenPoses = given
    poses += [CameraPose?](repeating: nil, count: given.count - poses.count)
    (report.pieces, report.framesEmpty) = (pieces, empty)
    report.framesLost = total - report.framesFused
  }

  /// Makes the last frame a keyframe, so that the end of the trajectory is in the graph.
  mutating func keepLast() {
    guard let previous, let frame = poses.lastIndex(where: { $0 != nil }) else { return }
    let kept = CompactDepthMap(previous.map, metersPerStep: metersPerStep)
    keyframes.see(
      previous.map, kept: kept, at: previous.pose, isGiven: previous.given != nil, frame: frame, always: true)
  }

  /// Empties the volume in order to fuse all maps again with other poses.
  ///
  /// - Returns: the number of maps to fuse.
  mutating func beginAgain(at poses: [CameraPose?], loops: Int, bend: Float) -> Int {
    (report.loopsClosed, report.largestBend) = (loops, bend)
    volume.clear()
    self.poses = poses
    again = depthMaps.maps.reversed()
    (depthMaps, keyframes) = (DepthMapBuffer(), Keyframes())
    (sums.after, measured) = (0, 0)
    if let first = poses.first(where: { $0 != nil }) ?? nil { self.first?.pose = first }
    if let last = poses.last(where: { $0 != nil }) ?? nil { previous?.pose = last }
    return again.count
  }

  /// Fuses the next frame again after ``closeLoops(while:)``.
  ///
  /// - Returns: `false` if none was left.
  /// - Throws: ``ReconstructionError`` if the volume is full.
  public mutating func fuseAgain() throws(ReconstructionError) -> Bool {
    guard let next = again.popLast() else { return false }
    guard let map = next.map.map, let pose = poses[next.frame] else { return true }
    let sample = PointSample(map, wanted: tracking.points)
    if let residual = volume.residual(sample, at: pose, leastOverlap: tracking.leastOverlap) {
      sums.after += residual
      measured += 1
    }
    try volume.fuse(map, from: pose)
    return true
  }

  private mutating func place(_ map: DepthMap, _ given: CameraPose?) -> CameraPose? {
    guard let previous else { return given ?? .identity }
    if let given, !settings.refinesPoses { return given }
    let sample = PointSample(map, wanted: tracking.points)
    let start = start(of: map, sample, given, after: previous)
    guard let start,
      let placed = volume.place(sample, from: start, given: given, settings: tracking)
    else {
      return given
    }
    if given == nil, contradicts(map, at: placed.pose, previous) { return nil }
    report.framesPlaced += 1
    sums.before += placed.residualBefore
    sums.after += placed.residual
    measured += 1
    if let given {
      report.largestShift = max(report.largestShift, given.distance(to: placed.pose))
      report.largestTurn = max(report.largestTurn, given.turn(to: placed.pose))
    }
    return placed.pose
  }

  /// Maximum fraction of the points of two maps in each other's free space. True poses of a static scene have less than
  /// a thousandth, wrong ones a twentieth and more.
  private static let mostContradiction: Float = 0.03

  /// Returns `true` if a registration cannot be true, because the map and the one before contradict each other. Poses of
  /// the device are trusted.
  private func contradicts(
    _ map: DepthMap, at pose: CameraPose, _ previous: (map: DepthMap, pose: CameraPose, given: CameraPose?)
  ) -> Bool {
    let check = FreeSpaceCheck(tolerance: 3 * tracking.pointNoise)
    let share = check.contradiction(previous.map, at: previous.pose, map, at: pose, points: 2000)
    return share.map { $0 > Self.mostContradiction } ?? true
  }

  /// Returns the initial pose for registration: the best fit among the device pose, the device pose with the previous
  /// frame's correction, and the extrapolated motion. If none fits well, registers the map to the previous one.
  private func start(
    of map: DepthMap, _ sample: PointSample, _ given: CameraPose?,
    after previous: (map: DepthMap, pose: CameraPose, given: CameraPose?)
  ) -> CameraPose? {
    var candidates: [CameraPose] = []
    if let given {
      candidates.append(given)
      if let before = previous.given, let moved = RigidMotion(from: before, to: previous.pose).moved(given) {
        candidates.append(moved)
      }
    }
    if let going = predicted(previous.pose) { candidates.append(going) }
    let fits = candidates.map { (pose: $0, misfit: volume.misfit(sample, at: $0)) }
    guard let best = fits.min(by: { $0.misfit < $1.misfit }) else { return given }
    if best.misfit < tracking.goodMisfit { return best.pose }
    let last = SurfaceMap(previous.map, at: previous.pose, largestStep: settings.filter.largestStep)
    let tries = (given == nil ? [best.pose, previous.pose] : [best.pose]).compactMap {
      last.place(sample, from: $0, settings: tracking)?.pose
    }
    let better = (tries + [best.pose]).map { (pose: $0, misfit: volume.misfit(sample, at: $0)) }
    return better.min { $0.misfit < $1.misfit }?.pose
  }

  /// Returns the pose extrapolated with constant motion.
  private func predicted(_ pose: CameraPose) -> CameraPose? {
    guard let beforePrevious else { return pose }
    return RigidMotion(from: beforePrevious, to: pose).moved(pose)
  }

  /// Extracts the surface with its statistics.
  ///
  /// - Parameter isWanted: called periodically; if it returns `false`, there is no surface or only a part of it.
  /// - Throws: ``ReconstructionError`` with code `nothingMeasured` if there is no surface, `lost` if tracking failed
  ///   for most of the scan, `tooLarge` if there are too many triangles.
  public func surface(
    while isWanted: () -> Bool = { true }
  ) throws(ReconstructionError) -> (mesh: SurfaceMesh, report: ReconstructionReport) {
    guard otherPiece.isEmpty else {
      var chosen = self
      chosen.chooseLargestPiece()
      return try chosen.surface(while: isWanted)
    }
    guard report.framesFused > 0 else {
      throw ReconstructionError(.nothingMeasured, "no frame has a usable measurement")
    }
    guard report.framesLost <= 3 * report.framesFused else {
      throw ReconstructionError(
        .lost,
        "camera tracking was lost in \(report.framesLost) of \(report.framesLost + report.framesFused) frames: scan more slowly"
      )
    }
    let least = Float(min(settings.leastFrames, max(1, report.framesFused / 4)))
    var mesh = try volume.surface(
      leastWeight: least, largestTriangleCount: settings.largestTriangleCount, while: isWanted)
    mesh.dropPieces(under: settings.smallestPiece, shorterThan: settings.longestSmallPiece)
    guard !mesh.triangles.isEmpty else {
      throw ReconstructionError(.nothingMeasured, "no surface was observed often enough")
    }
    var report = report
    report.blocks = volume.blockCount
    if report.framesPlaced > 0 {
      report.residualBefore = sums.before / Float(report.framesPlaced)
      report.residual = measured > 0 ? sums.after / Float(measured) : nil
    }
    report.drift = drift()
    return (mesh, report)
  }

  private func drift() -> Float? {
    guard report.framesFused > 2, let first, let previous else { return nil }
    let map = SurfaceMap(first.map, at: first.pose, largestStep: settings.filter.largestStep)
    let sample = PointSample(previous.map, wanted: tracking.points)
    guard let placed = map.place(sample, from: previous.pose, settings: tracking) else { return nil }
    let (before, after) = (placed.residualBefore, placed.residual)
    return max(before * before - after * after, 0).squareRoot()
  }
}

extension Reconstructor: CustomStringConvertible, CustomReflectable {
  public var description: String { "Reconstructor(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Error that prevented a reconstruction.
public struct ReconstructionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Kind of error. Further kinds may be added.
  public struct Code: Hashable, Sendable {
    fileprivate enum Kind { case tooLarge, mapTooLarge, nothingMeasured, tooManyVertices, lost }
    fileprivate let kind: Kind

    /// The scene needs more voxel blocks than the settings allow.
    public static let tooLarge = Code(kind: .tooLarge)
    /// A depth map has more than four million samples.
    public static let mapTooLarge = Code(kind: .mapTooLarge)
    /// No sample remained after filtering, or no surface was observed often enough.
    public static let nothingMeasured = Code(kind: .nothingMeasured)
    /// The mesh has more vertices than its format can index.
    public static let tooManyVertices = Code(kind: .tooManyVertices)
    /// Camera tracking was lost.
    public static let lost = Code(kind: .lost)
  }

  public let code: Code
  /// Human-readable message of one sentence.
  public let reason: String

  public init(_ code: Code, _ reason: String) {
    self.code = code
    self.reason = reason
  }

  public static func == (left: ReconstructionError, right: ReconstructionError) -> Bool { left.code == right.code }
  public func hash(into hasher: inout Hasher) { hasher.combine(code) }
  public var description: String { reason }
}

/// Statistics of a reconstruction, for assessing its quality.
public struct ReconstructionReport: Hashable, Sendable {
  /// Number of fused frames.
  public internal(set) var framesFused = 0
  /// Number of frames without any sample after filtering.
  public internal(set) var framesEmpty = 0
  /// Number of frames that could not be registered and were skipped, and of those in other pieces.
  public internal(set) var framesLost = 0
  /// Number of pieces: one more than the times at which the camera's path was lost. The surface is the piece with the
  /// most frames.
  public internal(set) var pieces = 1
  /// Number of frames whose pose was refined or estimated.
  public internal(set) var framesPlaced = 0
  /// Mean over the registered frames of the points' root mean square distance to the surface, before and after
  /// registration, in meters; nil if no frame was registered.
  public internal(set) var residualBefore: Float?
  public internal(set) var residual: Float?
  /// Largest correction of a device pose, in meters and radians.
  public internal(set) var largestShift: Float = 0
  public internal(set) var largestTurn: Float = 0
  /// Number of closed loops, and the largest resulting correction of the trajectory, in meters.
  public internal(set) var loopsClosed = 0
  public internal(set) var largestBend: Float = 0
  /// Drift of the camera's trajectory, in meters: the decrease in the points' root mean square distance when the last
  /// map is registered to the first one; nil if the two do not overlap. Includes only motion that the surface
  /// constrains: sliding along a flat surface is not detected.
  public internal(set) var drift: Float?
  /// Number of voxel blocks used.
  public internal(set) var blocks = 0
}
