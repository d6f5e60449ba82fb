internal import MienPlatform
internal import MienLiveness
internal import MienCore
internal import MienWorkers

/// Stores the fingerprints of the last checks' frames, so that a recording that passed one check does not pass another.
///
/// Fingerprints show a face in 16 × 16 gray levels. They are kept in memory only, and written neither to a database nor
/// to a log; they are deleted with their check or person, after a week, and when the server stops. Each server stores
/// only its own checks.
actor EarlierChecks {
  /// Maximum number of stored checks, at most 32 KB each.
  static let most = 1024
  /// Maximum age of a check, in milliseconds.
  static let longest: Int64 = 7 * 86_400_000

  private struct Entry: Sendable {
    let check: CheckID
    let person: PersonID?
    let at: UnixTime
    let frames: DistinctFrames
  }

  private var entries: [Entry] = []

  /// Compares a check with earlier ones and stores it.
  ///
  /// It is stored before it is compared: if two checks show the same recording at the same time, at least one is found.
  func compare(_ frames: DistinctFrames, of check: CheckID, person: PersonID?, at now: UnixTime) async -> Finding {
    remember(frames, of: check, person: person, at: now)
    let others = entries.filter { $0.check != check }
    guard frames.canBeCompared, !others.isEmpty else { return frames.finding(0) }
    let matches = await WorkerPool.shared.run { others.map { frames.matches(in: $0.frames) } }
    return frames.finding(matches.reduce(0, max))
  }

  /// Stores the frames of a check, replacing those stored for it before.
  func remember(_ frames: DistinctFrames, of check: CheckID, person: PersonID?, at now: UnixTime) {
    entries.removeAll { $0.check == check || now.milliseconds - $0.at.milliseconds > Self.longest }
    guard frames.count > 1 else { return }
    if entries.count == Self.most { entries.removeFirst() }
    entries.append(Entry(check: check, person: person, at: now, frames: frames))
  }

  /// Removes a deleted check.
  func remove(_ check: CheckID) { entries.removeAll { $0.check == check } }

  /// Removes the checks of a deleted person.
  func remove(_ person: PersonID) { entries.removeAll { $0.person == person } }
}
