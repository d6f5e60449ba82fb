internal import MienCore
internal import MienPlatform

/// Storing the results of checks.
extension LivenessCheckService {
  /// Returns the error for a check that is decided. Saves the result first, because saving it may be in progress or may
  /// have failed.
  func over(_ result: CheckResult, of check: ActiveCheck) async throws -> ServiceError {
    try await save(result, of: check)
    return Self.over(result, side: check.record.side)
  }

  /// Saves the result, if there is one, before it is returned to a client.
  func save(_ progress: ActiveCheck.Progress, of check: ActiveCheck) async throws {
    if let result = progress.result { try await save(result, of: check) }
  }

  func save(_ result: CheckResult, of check: ActiveCheck) async throws {
    let id = check.record.id
    let result = try await withoutDeletedTemplate(result, of: check)
    do {
      guard
        try await saveResultOnce(
          id, result, check.images(for: result), template: check.templateToKeep(for: result), under: check.epoch)
      else {
        live[id] = nil
        // Another result was stored first: the stored one is reported.
        if let kept = try await store.check(id)?.result, kept.outcome != result.outcome || kept.reason != result.reason
        {
          throw Self.over(kept, side: check.record.side)
        }
        return
      }
    } catch let error as ServiceError where Self.isGone(error) {
      // Another server has acquired the check, or it was deleted there.
      if live[id] === check { live[id] = nil }
      throw error
    }
    if let frames = await check.framesToRemember() {
      await earlierChecks.remember(frames, of: id, person: check.record.person, at: clock.timeOfDay())
    }
    // A failure to store the clip does not change the verdict.
    try? await endBrokenClip(of: check.record)
    // Update only the thresholds that the check was evaluated with: an enrollment that was deleted or replaced in the
    // meantime stays as it is.
    if let person = check.record.person, let learned = await check.learnedThresholds(),
      try await store.thresholds(of: person) == check.thresholds
    {
      _ = try await store.enroll(person, learned, at: clock.timeOfDay())
    }
    live[id] = nil
  }

  /// Returns `true` if this call stored the result, `false` if one was already stored.
  @discardableResult
  func saveResultOnce(
    _ id: CheckID, _ result: CheckResult, _ images: [StoredImage] = [], template: FaceReference? = nil,
    under epoch: Int? = nil
  ) async throws -> Bool {
    do {
      try await store.decide(
        id, result, keeping: images, template: template, counting: rules(for: result), under: epoch)
    } catch let error as StoreError where error.code == .leaseLost {
      throw Self.elsewhere
    } catch let error as StoreError where error.code == .duplicate {
      return false
    } catch let error as StoreError where error.code == .missing {
      throw Self.noSuchCheck  // deleted in the meantime
    }
    meter.decided(result.outcome.rawValue, reason: result.reason)
    return true
  }

  static func over(_ result: CheckResult, side: Side) -> ServiceError {
    ServiceError(
      .checkEnded, "This check is decided; further frames change nothing. Create a new check.",
      detail: CheckStep.final(result, side: side))
  }
}
