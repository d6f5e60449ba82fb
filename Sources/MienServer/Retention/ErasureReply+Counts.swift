internal import MienService
internal import MienWire

extension ErasureReply {
  init(_ person: ErasedPerson) {
    self.init(erased: [
      RetainedKind.checks.rawValue: person.checks, RetainedKind.pictures.rawValue: person.pictures,
      RetainedKind.films.rawValue: person.films, RetainedKind.lockouts.rawValue: person.lockouts,
      "enrolments": person.enrolments,
    ])
  }
}
