internal import MienPlatform
internal import MienLiveness
internal import MienCore
internal import MienWorkers

/// Remembers what the last checks showed, so that a recording that passed one check does not pass another.
///
/// Fingerprints show a face as 16 × 16 grays. They are kept in memory only, and neither written to a database nor to a log; they go with the
/// check or the person that is deleted, after a week, and when the server stops. Each server knows its own checks.
actor EarlierChecks {
  /// The most checks that are remembered, at most 32 KB each.
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

  /// Compares a check with earlier ones and remembers it.
  ///
  /// It is remembered before it is compared: of two checks that show one recording at the same time, at least one is found.
  func compare(_ frames: DistinctFrames, of check: CheckID, person: PersonID?, at now: UnixTime) async -> Finding {
    remember(frames, of: check, person: person, at: now)
    let others = entries.filter { $0.check != check }
    guard frames.canBeCompared, !others.isEmpty else { return frames.finding(0) }
    let matches = await WorkerPool.shared.run { others.map { frames.matches(in: $0.frames) } }
    return frames.finding(matches.reduce(0, max))
  }

  /// Remembers a check; one that is remembered already with what it has come to show.
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
