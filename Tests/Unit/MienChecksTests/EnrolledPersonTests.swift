import MienChecks
import MienCore
import MienFaceMatch
import MienPlatform
import MienStore
import MienTestSupport
import Testing

@Suite struct `Enrolled persons` {
  private let ada: PersonID
  private let bob: PersonID

  init() throws {
    ada = try #require(PersonID("ada"))
    bob = try #require(PersonID("bob"))
  }

  private func bench(_ adjust: (inout ServiceSettings) -> Void = { _ in }) throws -> FaceMatchBench {
    try FaceMatchBench {
      $0.keepsTemplates = true
      adjust(&$0)
    }
  }

  /// Performs a check of a person with the face of another number, and returns its ID.
  private func passed(
    _ bench: FaceMatchBench, as person: PersonID?, face: Int = 1, template: TemplateUse? = .enroll,
    reference: [UInt8]? = nil
  ) async throws -> CheckID {
    let (check, token) = try await bench.create(reference: reference, person: person, template: template)
    #expect(try await bench.play(check.id, token) { _, _ in face }.state == "passed")
    return check.id
  }

  private func code(_ work: () async throws -> Void) async -> ServiceError.Code? {
    do {
      try await work()
      return nil
    } catch {
      return (error as? ServiceError)?.code
    }
  }

  @Test func `a person who passed a check is enrolled and matches in later checks`() async throws {
    let bench = try bench()
    let first = try await passed(bench, as: ada)
    #expect(try await bench.store.template(of: ada) == nil, "a verdict enrolls nobody")
    let enrolled = try await bench.service.enroll(ada, from: first)
    #expect(enrolled.model == FaceTemplate.model && enrolled.check == first)
    #expect(try await bench.service.template(of: ada) == enrolled)
    #expect(try await bench.store.keptTemplate(of: first) == nil, "it is stored once")
    #expect(try await bench.service.enroll(ada, from: first) == enrolled, "a repeated request changes nothing")

    for (face, isMatch) in [(1, true), (2, false)] {
      let check = try await passed(bench, as: ada, face: face, template: .match)
      switch finding("face-match", try await bench.result(check)) {
      case .genuine: #expect(isMatch)
      case .suspect(_, let reason): #expect(!isMatch && reason == "other-person")
      default: Issue.record("The face of \(face) was not compared.")
      }
      #expect(try await bench.store.keptTemplate(of: check) == nil)
    }
  }

  @Test func `a newer enrollment replaces the template`() async throws {
    let bench = try bench()
    _ = try await bench.service.enroll(ada, from: passed(bench, as: ada, face: 1))
    _ = try await bench.service.enroll(ada, image: image(of: 2))
    let enrolled = try await bench.service.template(of: ada)
    #expect(enrolled.check == nil)
    let check = try await passed(bench, as: ada, face: 2, template: .match)
    guard case .genuine? = finding("face-match", try await bench.result(check)) else {
      Issue.record("The newer face does not match.")
      return
    }
  }

  @Test func `only a passed check of the person that was created to enroll does`() async throws {
    let bench = try bench { $0.allowsClaims = true }
    let own = try await passed(bench, as: ada)
    #expect(await code { _ = try await bench.service.enroll(bob, from: own) } == .badValue)
    let plain = try await passed(bench, as: ada, template: nil)
    #expect(await code { _ = try await bench.service.enroll(ada, from: plain) } == .wrongState)
    let (open, token) = try await bench.create(person: ada, template: .enroll)
    #expect(await code { _ = try await bench.service.enroll(ada, from: open.id) } == .wrongState)
    let failed = try await bench.play(open.id, token) { direction, _ in direction > 0 ? 1 : 2 }
    #expect(failed.reason == "person-changed")
    #expect(await code { _ = try await bench.service.enroll(ada, from: open.id) } == .wrongState)
    #expect(try await bench.store.keptTemplate(of: open.id) == nil)
    let unknown = try #require(CheckID("chk_unknown"))
    #expect(await code { _ = try await bench.service.enroll(ada, from: unknown) } == .notFound)
    #expect(try await bench.store.template(of: ada) == nil)
  }

  @Test func `a check that shows another person than its reference enrolls nobody`() async throws {
    let bench = try bench()
    let other = try await passed(bench, as: ada, face: 1, reference: image(of: 2))
    #expect(await code { _ = try await bench.service.enroll(ada, from: other) } == .notAssessed)
    let same = try await passed(bench, as: ada, face: 1, reference: image(of: 1))
    #expect(try await bench.service.enroll(ada, from: same).check == same)
  }

  @Test func `a check with a change of person enrolls nobody, even if that is only reported`() async throws {
    let bench = try bench { $0.personChange = .report }
    let (check, token) = try await bench.create(person: ada, template: .enroll)
    #expect(try await bench.play(check.id, token) { direction, _ in direction > 0 ? 1 : 2 }.state == "passed")
    #expect(await code { _ = try await bench.service.enroll(ada, from: check.id) } == .notAssessed)
  }

  @Test func `a check without usable frontal frames enrolls nobody`() async throws {
    // No two frames are far enough apart to be compared.
    let bench = try bench { $0.onePerson.pace = .seconds(100) }
    let check = try await passed(bench, as: ada)
    #expect(await code { _ = try await bench.service.enroll(ada, from: check) } == .notAssessed)
  }

  @Test func `the template of a check is kept for a day`() async throws {
    let bench = try bench()
    let check = try await passed(bench, as: ada)
    bench.clock.advance(by: .seconds(86_300))
    try await bench.service.expireAndPurge()
    #expect(try await bench.store.keptTemplate(of: check) != nil)
    bench.clock.advance(by: .seconds(200))
    try await bench.service.expireAndPurge()
    #expect(await code { _ = try await bench.service.enroll(ada, from: check) } == .notAssessed)
  }

  @Test func `a picture whose face cannot be compared enrolls nobody`() async throws {
    let bench = try bench()
    #expect(await code { _ = try await bench.service.enroll(ada, image: image(of: 1, count: 2)) } == .notAssessed)
    #expect(await code { _ = try await bench.service.enroll(ada, image: [1, 2, 3]) } == .notAImage)
    #expect(try await bench.store.template(of: ada) == nil)
  }

  @Test func `a check without a template to compare with is refused with the reason`() async throws {
    let bench = try bench { $0.allowsClaims = true }
    #expect(await code { _ = try await bench.create(person: ada, template: .match) } == .notEnrolled)
    #expect(await code { _ = try await bench.create(person: nil, template: .match) } == .badValue)
    _ = try await bench.service.enroll(ada, image: image(of: 1))
    #expect(
      await code { _ = try await bench.create(reference: image(of: 1), person: ada, template: .match) } == .badValue)
    #expect(
      await code {
        _ = try await bench.service.create(
          side: nil, person: ada, expectsDepth: false, reference: nil, sources: .claimed, templateUse: .match)
      } == .badValue)
    #expect(await code { _ = try await bench.create(person: ada, template: .match) } == nil)
  }

  @Test func `a template of another model version is refused and enrolls nobody`() async throws {
    let bench = try bench()
    let old = FaceReference(stored: Array("sface-2019-1".utf8) + [0] + [UInt8](repeating: 1, count: 512))
    try await bench.store.enroll(
      ada, EnrolledTemplate(model: old.model, created: bench.clock.timeOfDay(), check: nil, face: old))
    #expect(try await bench.service.template(of: ada).model == "sface-2019-1")
    #expect(await code { _ = try await bench.create(person: ada, template: .match) } == .templateOutdated)

    let (check, _) = try await bench.create(person: bob, template: .enroll)
    try await bench.store.decide(
      check.id, sampleResult(.passed), keeping: [], template: old, counting: nil, under: nil)
    #expect(await code { _ = try await bench.service.enroll(bob, from: check.id) } == .templateOutdated)
  }

  @Test(arguments: [true, false]) func `a template that is deleted or replaced during a check is not compared with`(
    isReplaced: Bool
  ) async throws {
    let bench = try bench()
    _ = try await bench.service.enroll(ada, image: image(of: 1))
    let (check, token) = try await bench.create(person: ada, template: .match)
    var frames = 0
    // The check has begun, so that this server knows the template.
    let last = try await bench.play(check.id, token) { _, _ in
      frames += 1
      return 1
    } during: {
      guard frames == 10 else { return }
      if isReplaced {
        _ = try await bench.service.enroll(ada, image: image(of: 2))
      } else {
        #expect(try await bench.service.deleteTemplates(of: ada)[.templates] == 1)
      }
    }
    #expect(last.state == "passed", "liveness does not depend on the template")
    #expect(finding("face-match", try await bench.result(check.id)) == .notAssessed(.templateDeleted))
  }

  @Test func `deleting a person deletes the template and the checks`() async throws {
    let bench = try bench()
    _ = try await bench.service.enroll(ada, from: passed(bench, as: ada))
    _ = try await passed(bench, as: ada)
    let (open, token) = try await bench.create(person: ada, template: .match)
    #expect(try await bench.service.delete(ada)[.templates] == 2)
    #expect(await code { _ = try await bench.service.template(of: ada) } == .notFound)
    #expect(await code { _ = try await bench.play(open.id, token) { _, _ in 1 } } == .notFound)
    #expect(await code { _ = try await bench.service.deleteTemplates(of: ada) } == .notFound)
  }

  @Test func `by default nothing is enrolled, and what was is deleted on request`() async throws {
    let bench = try FaceMatchBench()
    #expect(await code { _ = try await bench.create(person: ada, template: .enroll) } == .forbidden)
    #expect(await code { _ = try await bench.service.enroll(ada, image: image(of: 1)) } == .forbidden)
    #expect(await code { _ = try await bench.service.template(of: ada) } == .forbidden)
    let face = FaceReference(stored: [1])
    try await bench.store.enroll(
      ada, EnrolledTemplate(model: "m", created: bench.clock.timeOfDay(), check: nil, face: face))
    #expect(try await bench.service.deleteTemplates(of: ada)[.templates] == 1)
  }

  @Test func `a server without the model enrolls and compares nobody`() async throws {
    let bench = try FaceMatchBench(recognizes: false) { $0.keepsTemplates = true }
    let check = try #require(CheckID("chk_unknown"))
    #expect(await code { _ = try await bench.create(person: ada, template: .enroll) } == .modelUnavailable)
    #expect(await code { _ = try await bench.service.enroll(ada, image: image(of: 1)) } == .modelUnavailable)
    #expect(await code { _ = try await bench.service.enroll(ada, from: check) } == .modelUnavailable)
  }

  @Test func `a template is never printed`() {
    let face = FaceReference(stored: [1, 2, 3])
    let template = EnrolledTemplate(model: "m", created: UnixTime(milliseconds: 1), check: nil, face: face)
    #expect("\(template)".contains("FaceReference(withheld)") && !"\(template)".contains("[1, 2, 3]"))
  }
}
