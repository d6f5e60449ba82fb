public import MienCore
public import MienLiveness
public import MienPlatform

/// Result of reading a check whose earlier reading may be known.
public enum CheckReading: Sendable {
  case unchanged
  /// The check, its result if it is decided, and a version that identifies the stored values in this process.
  case read(record: CheckRecord, result: CheckResult?, version: Int)
}

/// Stores checks and their results.
///
/// Changes survive a crash of the process once the method that made them has returned.
public protocol CheckStore: Sendable {
  /// Stores a new check. Throws ``StoreError/Code/duplicate`` if the ID is taken.
  func create(_ check: CheckRecord) async throws

  /// Returns a check and, if it is decided, its result; `nil` if no check has this ID.
  func check(_ id: CheckID) async throws -> (record: CheckRecord, result: CheckResult?)?

  /// Returns a check like ``check(_:)``, unless its stored values are those of an earlier reading; `nil` if no check has
  /// this ID. What has not changed is not decrypted.
  func check(_ id: CheckID, unless version: Int?) async throws -> CheckReading?

  /// Stores the result, the images and the template, once, and counts the result for the lockout of the check's person
  /// and device under the rules (`nil`: does not count it), all in one transaction: no crash loses a failure whose verdict is
  /// stored.
  ///
  /// Deletes the saved state of the check. Throws ``StoreError/Code/duplicate`` if there is a result already and
  /// ``StoreError/Code/missing`` if there is no such check; nothing is stored or counted then.
  ///
  /// - Parameters:
  ///   - template: template of the check's frames, from which the person can be enrolled; `nil` keeps none.
  ///   - epoch: lease epoch under which this server holds the check; `nil` ignores the lease. Throws
  ///     ``StoreError/Code/leaseLost`` if another server has acquired the check in the meantime.
  func decide(
    _ id: CheckID, _ result: CheckResult, keeping images: [StoredImage], template: FaceReference?,
    counting rules: LockoutSettings?, under epoch: Int?
  ) async throws

  /// Replaces the tasks of a check that its person's app may choose; returns `false` without a change if it may not, or
  /// if the check has begun or ended. The check then has no level of assurance.
  func choose(_ tasks: CheckTasks, bitsOfChoice: Double, for id: CheckID) async throws -> Bool

  /// Replaces the template of a check's reference by ``FaceReference/declined``; returns `false` without a change if the
  /// check compares no faces, or has begun or ended.
  func declineMatch(of id: CheckID) async throws -> Bool

  /// Returns a page of the checks that match a query, newest first.
  func checks(_ query: CheckListQuery) async throws -> RecordPage<CheckSummary>

  /// Returns up to `limit` checks without a result that expired before `time`, oldest first.
  func expired(before time: UnixTime, limit: Int) async throws -> [CheckID]

  /// Deletes up to `limit` checks decided before `time` with all associated data; returns the number deleted.
  func deleteChecks(decidedBefore time: UnixTime, limit: Int) async throws -> Int

  /// Deletes a check with all associated data and returns the counts; all are zero if there was no such check.
  func delete(_ id: CheckID) async throws -> ErasureCounts
}

extension CheckStore {
  /// Stores the result of a check once, without counting it for a lockout.
  public func decide(_ id: CheckID, _ result: CheckResult, keeping images: [StoredImage] = []) async throws {
    try await decide(id, result, keeping: images, counting: nil, under: nil)
  }

  /// Stores the result of a check once, without a template.
  public func decide(
    _ id: CheckID, _ result: CheckResult, keeping images: [StoredImage], counting rules: LockoutSettings?,
    under epoch: Int?
  ) async throws {
    try await decide(id, result, keeping: images, template: nil, counting: rules, under: epoch)
  }

  /// Stores the result of a check once, regardless of which server holds it.
  public func decide(
    _ id: CheckID, _ result: CheckResult, keeping images: [StoredImage], counting rules: LockoutSettings?
  ) async throws {
    try await decide(id, result, keeping: images, counting: rules, under: nil)
  }
}

/// Stores each person's depth thresholds, in all their versions.
public protocol EnrollmentStore: Sendable {
  /// Stores the thresholds as the person's newest version and returns its number, starting at 1.
  func enroll(_ person: PersonID, _ thresholds: DepthThresholds, at time: UnixTime) async throws -> Int
  /// Returns the person's newest thresholds; `nil` if the person is not enrolled.
  func thresholds(of person: PersonID) async throws -> DepthThresholds?
}
