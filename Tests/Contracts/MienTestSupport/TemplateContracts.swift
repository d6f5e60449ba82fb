internal import MienCore
internal import MienPlatform
public import MienChecks
internal import Testing

/// Conformance test for ``TemplateStore``.
public func checkTemplateStore(
  _ make: () async throws -> some TemplateStore & CheckStore & LockoutStore
) async throws {
  let store = try await make()
  let (ada, bob) = (try #require(PersonID("ada")), try #require(PersonID("bob")))
  let face = FaceReference(stored: Array("model-1".utf8) + [0] + [UInt8](repeating: 7, count: 512))
  let (late, after) = (try sampleResult(.passed).decided, UnixTime(milliseconds: 5001))

  // The template of a check is stored with the verdict, and neither without it nor twice.
  let check = try sampleCheck("chk_kept")
  try await store.create(check)
  #expect(try await store.check(check.id)?.record.templateUse == .enroll)
  #expect(try await store.keptTemplate(of: check.id) == nil)
  try await decide(check, keeping: face, in: store)
  #expect(try await store.keptTemplate(of: check.id) == face)
  let twice = await #expect(throws: StoreError.self) { try await decide(check, keeping: face, in: store) }
  #expect(twice?.code == .duplicate)
  #expect(try await store.template(of: ada) == nil, "a verdict enrolls nobody")

  // It becomes the person's in one step, once.
  let enrolled = EnrolledTemplate(
    model: face.model, created: UnixTime(milliseconds: 6000), check: check.id, face: face)
  #expect(enrolled.model == "model-1")
  try await store.enroll(ada, enrolled)
  #expect(try await store.template(of: ada) == enrolled)
  #expect(try await store.keptTemplate(of: check.id) == nil)
  let again = await #expect(throws: StoreError.self) { try await store.enroll(bob, enrolled) }
  #expect(again?.code == .missing)
  #expect(try await store.template(of: bob) == nil)

  // Of many requests at once, one enrolls.
  let contested = try sampleCheck("chk_contested")
  try await store.create(contested)
  try await decide(contested, keeping: face, in: store)
  let won = try await withThrowingTaskGroup(of: Bool.self) { group in
    for number in 0..<8 {
      group.addTask {
        let mine = EnrolledTemplate(
          model: "model-1", created: UnixTime(milliseconds: Int64(number)), check: contested.id, face: face)
        do {
          try await store.enroll(ada, mine)
          return true
        } catch let error as StoreError where error.code == .missing {
          return false
        }
      }
    }
    return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
  }
  #expect(won == 1)
  #expect(try await store.template(of: ada)?.check == contested.id, "a person has one template, the newest")

  // A template from a picture replaces it, and outlives every check.
  let other = FaceReference(stored: [UInt8](repeating: 9, count: 528))
  let drawn = EnrolledTemplate(model: "model-2", created: UnixTime(milliseconds: 8000), check: nil, face: other)
  try await store.enroll(ada, drawn)
  try await store.enroll(bob, drawn)
  #expect(try await store.template(of: ada) == drawn)
  #expect(try await !store.delete(contested.id).isEmpty)
  #expect(try await store.template(of: ada) == drawn)

  // Deleting templates leaves the person's checks.
  let spare = try sampleCheck("chk_spare")
  try await store.create(spare)
  try await decide(spare, keeping: face, in: store)
  #expect(try await store.deleteTemplates(of: ada) == 2, "the person's, and that of a check")
  #expect(try await store.template(of: ada) == nil)
  #expect(try await store.keptTemplate(of: spare.id) == nil)
  #expect(try await store.check(spare.id) != nil)
  #expect(try await store.template(of: bob) == drawn, "templates of others remain")
  #expect(try await store.deleteTemplates(of: ada) == 0)

  // Templates of checks are deleted after a while.
  let old = try sampleCheck("chk_old")
  try await store.create(old)
  try await decide(old, keeping: face, in: store)
  #expect(try await store.deleteKeptTemplates(decidedBefore: late) == 0)
  #expect(try await store.deleteKeptTemplates(decidedBefore: after) == 1)
  #expect(try await store.keptTemplate(of: old.id) == nil)

  // Deleting a check or a person deletes and counts them.
  let last = [try sampleCheck("chk_last_1"), try sampleCheck("chk_last_2")]
  for check in last {
    try await store.create(check)
    try await decide(check, keeping: face, in: store)
  }
  #expect(try await store.delete(last[0].id)[.templates] == 1)
  try await store.enroll(ada, drawn)
  #expect(try await store.delete(ada)[.templates] == 2)
  #expect(try await store.template(of: ada) == nil)
  #expect(try await store.keptTemplate(of: last[1].id) == nil)
  let gone = await #expect(throws: StoreError.self) {
    try await store.enroll(
      ada, EnrolledTemplate(model: "model-1", created: late, check: last[1].id, face: face))
  }
  #expect(gone?.code == .missing, "an enrollment in progress stores nothing after the deletion")
  #expect(try await store.template(of: ada) == nil)
  #expect(try await store.delete(bob)[.templates] == 1, "a person without checks is deleted, too")
}

private func decide(_ check: CheckRecord, keeping face: FaceReference, in store: some CheckStore) async throws {
  try await store.decide(
    check.id, try sampleResult(.passed), keeping: [], template: face, counting: nil, under: nil)
}
