internal import MienCore

/// Adapts the frames of one session to the link: size and number follow what it carries, and a session stays within its
/// budget of bytes. The counterpart of `upload-rate.js`.
struct UploadRate {
  /// Desired size of the next frame, and time between two frames.
  struct Plan: Hashable {
    var bytes: Int
    var gap: Interval
  }

  private static let usualBytes = 9500.0
  private static let usualGap = 0.065
  /// Below, faces are no longer found reliably.
  private static let smallest = 4000.0
  private static let longestGap = 0.2
  private static let slowLink = 70_000.0
  private static let budget = (usual: 1_450_000.0, slow: 380_000.0)
  /// Number of frames for which the remaining budget should last.
  private static let reserve = 60.0
  /// Longest gap that is taken to save bytes on a fast link; signals that compare consecutive frames need 9 frames per second.
  private static let savingGap = 0.1
  private static let bytesOfHeaders = 500
  private static let fullSpeed = usualBytes / usualGap
  /// Response times in seconds above the shortest one at which the link counts as full, or as free.
  private static let delays = (full: 0.15, free: 0.06)

  /// Bytes per second that are sent at most.
  private(set) var target = fullSpeed
  private var sent = 0.0
  private var fastest = Double.infinity
  private var times: [Double] = []
  /// Frames acknowledged in the last second.
  private var acknowledged: [(at: MonotonicInstant, bytes: Int)] = []
  private var lowered: MonotonicInstant?

  /// Returns the plan of the next frame if `window` frames may be under way.
  func plan(window: Int) -> Plan {
    let isSlow = target < Self.slowLink
    let left = max(1, (isSlow ? Self.budget.slow : Self.budget.usual) - sent)
    let bytes = max(Self.smallest, min(Self.usualBytes, target * Self.usualGap, left / Self.reserve))
    let saving = min(isSlow ? Self.longestGap : Self.savingGap, Self.usualGap * bytes * Self.reserve / left)
    // A shorter gap would only make frames wait.
    let ofWindow = (shortest ?? 0) / Double(window)
    let gap = max(Self.usualGap, min(Self.longestGap, max(bytes / target, ofWindow)), saving)
    return Plan(bytes: Int(bytes), gap: .seconds(gap))
  }

  /// Records that a frame was sent.
  mutating func sent(_ bytes: Int) { sent += Double(bytes) }

  /// Records the response to a frame.
  mutating func acknowledged(_ bytes: Int, after took: Interval, at now: MonotonicInstant) {
    let took = took.inSeconds
    fastest = min(fastest, took)
    times = times.suffix(8) + [took]
    acknowledged.append((now, bytes + Self.bytesOfHeaders))
    acknowledged.removeAll { now.since($0.at) >= .seconds(1) }
    guard let shortest else { return }
    let queued = shortest - fastest
    if queued > Self.delays.full, lowered.map({ now.since($0) > .milliseconds(500) }) ?? true {
      // More was sent than the link carries: the acknowledged bytes are its capacity.
      lowered = now
      target = max(Self.smallest / Self.longestGap, min(target * 0.8, measured(at: now) * 0.9))
    } else if queued < Self.delays.free {
      target = min(Self.fullSpeed, target * 1.02)
    }
  }

  /// Shortest of the last response times in seconds; `nil` while there are too few. On a full link all of them are long; a lost packet
  /// delays some frames, and those after them, which the server lets wait, but not nine in a row.
  private var shortest: Double? { times.count < 5 ? nil : times.min() }

  private func measured(at now: MonotonicInstant) -> Double {
    var total = 0
    for frame in acknowledged { total += frame.bytes }
    let span = acknowledged.first.map { now.since($0.at).inSeconds } ?? 0
    return Double(total) / max(0.2, span)
  }
}
