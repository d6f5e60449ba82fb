public import MienCore
internal import MienFaceMatch
public import MienPlatform

/// Templates of enrolled persons: enrollment, deletion, and their use by checks. A template is compared with the face of
/// a check of the same person only; there is no search.
extension LivenessCheckService {
  /// Enrolls a person with the template of a check, in place of an earlier one.
  ///
  /// The check must be the person's, must have passed on frames, and must have been created to enroll. Repeating the
  /// request changes nothing.
  public func enroll(_ person: PersonID, from check: CheckID) async throws -> EnrolledTemplate {
    try expectTemplates()
    _ = try expectFaceComparer()
    let (record, result) = try await read(check)
    guard record.person == person else {
      throw ServiceError(.badValue, "\"check\" names a check that was not created for this person.")
    }
    guard record.templateUse == .enroll else {
      throw ServiceError(.wrongState, "This check was not created with \"template\": \"enroll\".")
    }
    guard let result, result.outcome == .passed, result.source == .observed else {
      throw ServiceError(.wrongState, "This check has not passed on frames. Only a check that did enrolls a person.")
    }
    if let enrolled = try await store.template(of: person), enrolled.check == check { return enrolled }
    guard let face = try await store.keptTemplate(of: check) else { throw Self.noTemplate }
    guard face.template != nil else { throw Self.outdated }
    let template = EnrolledTemplate(model: face.model, created: clock.timeOfDay(), check: check, face: face)
    do {
      try await store.enroll(person, template)
    } catch let error as StoreError where error.code == .missing {
      // Another request was faster, or the check or the person was deleted.
      if let enrolled = try await store.template(of: person), enrolled.check == check { return enrolled }
      throw Self.noTemplate
    }
    return template
  }

  /// Enrolls a person with the face of a picture, in place of an earlier template. The picture is not stored.
  ///
  /// - Throws: ``ServiceError`` with `notAssessed` and the reason if its face cannot be compared.
  public func enroll(_ person: PersonID, image: [UInt8]) async throws -> EnrolledTemplate {
    try expectTemplates()
    let found = try await expectFaceComparer().face(in: image)
    guard let face = found.face?.template else {
      let problem = found.problem ?? .noFace
      throw ServiceError(
        .notAssessed, "The face in the picture cannot be compared (\(problem.rawValue)). \(problem.advice)")
    }
    let template = EnrolledTemplate(
      model: FaceTemplate.model, created: clock.timeOfDay(), check: nil, face: FaceReference(face))
    try await store.enroll(person, template)
    return template
  }

  /// Returns the template of a person.
  public func template(of person: PersonID) async throws -> EnrolledTemplate {
    try expectTemplates()
    guard let template = try await store.template(of: person) else { throw Self.noTemplateOfPerson }
    return template
  }

  /// Deletes the template of a person and those kept of the person's checks; also on a server that stores no new ones.
  public func deleteTemplates(of person: PersonID) async throws -> ErasureCounts {
    let count = try await store.deleteTemplates(of: person)
    guard count > 0 else { throw Self.noTemplateOfPerson }
    return ErasureCounts([.templates: count])
  }

  // MARK: - Checks

  /// Throws unless a check of a person can use a template for a purpose.
  nonisolated func expectTemplate(
    of person: PersonID?, for use: TemplateUse, sources: CheckSources, hasImage: Bool
  ) async throws {
    try expectTemplates()
    _ = try expectFaceComparer()
    guard let person else { throw ServiceError(.badValue, "\"template\" needs a \"person\".") }
    guard sources.contains(.observed) else {
      throw ServiceError(
        .badValue, "\"template\" needs frames: add \"observed\" to \"sources\", or leave it out.")
    }
    guard use == .match else { return }
    guard !hasImage else {
      throw ServiceError(
        .badValue, "\"template\": \"match\" and \"reference_image\" are two references; send one of them.")
    }
    guard let template = try await store.template(of: person) else {
      throw ServiceError(.notEnrolled, "This person has no template to compare with. Enroll the person first.")
    }
    guard template.face.template != nil else { throw Self.outdated }
  }

  /// Returns a result without a comparison if the template that it rests on was deleted or replaced during the check.
  func withoutDeletedTemplate(_ result: CheckResult, of check: ActiveCheck) async throws -> CheckResult {
    guard let template = check.template, let person = check.record.person, result.outcome == .passed,
      try await store.template(of: person) != template
    else { return result }
    return result.replacing(Finding(check: ReferenceMatch.check, result: .notAssessed(.templateDeleted)))
  }

  // MARK: - Errors

  private nonisolated func expectTemplates() throws {
    guard settings.keepsTemplates else {
      throw ServiceError(.forbidden, "This server enrolls no persons for face match. Start it with --templates.")
    }
  }

  private static var noTemplateOfPerson: ServiceError {
    ServiceError(.notFound, "There is no template of a person with this ID.")
  }

  private static var noTemplate: ServiceError {
    ServiceError(
      .notAssessed,
      "There is no template of this check: it had fewer than \(MatchSeries.least) suitable frames, showed another person "
        + "than its reference, or its template was used, deleted, or is older than a day. Create a new check.")
  }

  private static var outdated: ServiceError {
    ServiceError(
      .templateOutdated,
      "The template was made by another version of the recognition model than \(FaceTemplate.model), and cannot be "
        + "compared. Enroll the person again.")
  }
}
