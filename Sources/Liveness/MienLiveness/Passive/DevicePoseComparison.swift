public import MienCore

/// Compares the head poses that a device reports beside its frames with those that the server sees in the frames.
///
/// A device with a face tracker of its own measures the head in front of its camera. Frames that come from elsewhere, for
/// example from a virtual camera, show another movement. Poses that agree prove nothing, since an attacker who forges
/// frames can measure the poses in them: the comparison is evidence for the integrator and never decides a check.
///
/// The measure is the correlation of the two in the angle that moved most. It depends neither on the scale of the two
/// trackers nor on a constant difference between them. The times are those of the client's clock, which frames and
/// observations share.
public struct DevicePoseComparison: Sendable {
  public static let check = "device-pose"
  /// Version of the rule and its values.
  public static let version = "device-pose-1"
  /// Reason of a suspect finding.
  public static let reason = "device-differs"

  /// Correlation below which the two differ. Determined on recordings of other movements, not on devices
  /// (Documentation/decisions/0040-device-poses-beside-frames.md).
  static let least = 0.5
  /// Minimum number of compared poses, and of those in which the head had moved.
  static let fewest = (compared: 10, moved: 5)
  /// Minimum difference to the first compared pose at which the head counts as moved, in degrees.
  static let movement: Float = 5
  /// Maximum interval between two frames between which a pose is interpolated.
  static let longestGap = Interval.milliseconds(500)
  /// Minimum interval between two compared poses of the device.
  static let pace = Interval.milliseconds(50)
  /// Maximum number of poses of each side that wait for the other one.
  static let most = 64

  private struct Pose: Hashable, Sendable, BinaryStateValue {
    var at: Interval
    /// Yaw, pitch and roll in degrees.
    var angles: SIMD3<Float>

    static var blank: Pose { Pose(at: .zero, angles: .zero) }
    mutating func pass(over coder: inout BinaryStateCoder) {
      coder.pass(&at)
      coder.pass(&angles)
    }
  }

  private var seen: [Pose] = []
  private var claimed: [Pose] = []
  private var lastClaim: Interval?
  private var first: SIMD3<Float>?
  private var compared = 0
  private var moved = 0
  /// Sums over the compared poses, of the frames (x) and of the device (y).
  private var (sumX, sumY, sumXX, sumYY, sumXY) = (
    SIMD3<Double>.zero, SIMD3<Double>.zero, SIMD3<Double>.zero, SIMD3<Double>.zero, SIMD3<Double>.zero
  )

  public init() {}

  /// Adds a pose that the server saw in a frame.
  ///
  /// - Parameters:
  ///   - pose: the head pose, in degrees.
  ///   - at: the frame's time on the client's clock. A pose that is not later than the last one is ignored.
  public mutating func observe(_ pose: HeadPose, at: Interval) {
    if let last = seen.last, at <= last.at { return }
    seen.append(Pose(at: at, angles: SIMD3(pose.yaw, pose.pitch, pose.roll)))
    if seen.count > Self.most { seen.removeFirst() }
    match()
  }

  /// Adds a pose that the device reports.
  ///
  /// - Parameters:
  ///   - pose: the head pose, in degrees.
  ///   - at: its time on the client's clock. A pose that follows the last one too soon is ignored.
  public mutating func claim(_ pose: HeadPose, at: Interval) {
    if let lastClaim, at.nanoseconds < lastClaim.nanoseconds &+ Self.pace.nanoseconds { return }
    lastClaim = at
    claimed.append(Pose(at: at, angles: SIMD3(pose.yaw, pose.pitch, pose.roll)))
    if claimed.count > Self.most { claimed.removeFirst() }
    match()
  }

  /// Compares the claims for whose time the frames are known.
  private mutating func match() {
    guard let newest = seen.last?.at else { return }
    while let claim = claimed.first, claim.at <= newest {
      claimed.removeFirst()
      guard let next = seen.firstIndex(where: { $0.at >= claim.at }) else { continue }
      if seen[next].at == claim.at {
        add(seen[next].angles, claim.angles)
      } else if next > 0 {
        let (before, after) = (seen[next - 1], seen[next])
        let gap = after.at.nanoseconds - before.at.nanoseconds
        guard gap <= Self.longestGap.nanoseconds else { continue }
        let share = Float(claim.at.nanoseconds - before.at.nanoseconds) / Float(gap)
        add(before.angles + share * (after.angles - before.angles), claim.angles)
      }
    }
  }

  private mutating func add(_ seen: SIMD3<Float>, _ claimed: SIMD3<Float>) {
    let start = first ?? seen
    first = start
    compared += 1
    let difference = seen - start
    if max(abs(difference.x), abs(difference.y), abs(difference.z)) >= Self.movement { moved += 1 }
    let (x, y) = (SIMD3<Double>(seen), SIMD3<Double>(claimed))
    sumX += x
    sumY += y
    sumXX += x * x
    sumYY += y * y
    sumXY += x * y
  }

  /// Correlation in the angle that moved most in the frames; 0 if the device's did not move at all.
  private var correlation: Double {
    let count = Double(compared)
    let varianceX = sumXX / count - (sumX / count) * (sumX / count)
    let varianceY = sumYY / count - (sumY / count) * (sumY / count)
    let covariance = sumXY / count - (sumX / count) * (sumY / count)
    let axis = varianceX.x >= max(varianceX.y, varianceX.z) ? 0 : varianceX.y >= varianceX.z ? 1 : 2
    let product = varianceX[axis] * varianceY[axis]
    guard varianceY[axis] > 1e-6, product > 0 else { return 0 }
    return max(-1, min(1, covariance[axis] / product.squareRoot()))
  }

  /// The measure, or too few poses with a movement. A score of 0.5 is the limit.
  public var finding: Finding {
    let usable = min(moved, compared >= Self.fewest.compared ? moved : 0)
    guard usable >= Self.fewest.moved else {
      return Finding(check: Self.check, result: .notAssessed(.tooFewFrames(usable)))
    }
    let native = correlation
    guard let score = Score(max(0, native)) else {
      return Finding(check: Self.check, result: .notAssessed(.tooFewFrames(usable)))
    }
    let measure = Finding.Measure(native: native, score: score, calibration: Self.version)
    return Finding(
      check: Self.check, result: native < Self.least ? .suspect(measure, because: Self.reason) : .genuine(measure))
  }
}

extension DevicePoseComparison: BinaryStateCodable {
  public mutating func pass(over coder: inout BinaryStateCoder) {
    coder.pass(&seen)
    coder.pass(&claimed)
    coder.pass(&lastClaim)
    coder.pass(&first)
    coder.pass(&compared)
    coder.pass(&moved)
    coder.pass(&sumX)
    coder.pass(&sumY)
    coder.pass(&sumXX)
    coder.pass(&sumYY)
    coder.pass(&sumXY)
    coder.require(
      seen.count <= Self.most && claimed.count <= Self.most && compared >= 0 && (0...compared).contains(moved))
  }
}

extension DevicePoseComparison: CustomStringConvertible, CustomReflectable {
  public var description: String { "DevicePoseComparison(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
