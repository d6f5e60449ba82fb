/// What was erased with a person: numbers for who has to prove that it was done.
public struct ErasedPerson: Hashable, Sendable {
  /// With their verdicts.
  public var checks: Int
  /// Kept pictures of these checks.
  public var pictures: Int
  /// Kept films of these checks.
  public var films: Int
  /// Versions of the person's own thresholds.
  public var enrolments: Int
  /// 1 where failures of the person were remembered.
  public var lockouts: Int

  public init(checks: Int, pictures: Int, films: Int, enrolments: Int, lockouts: Int) {
    self.checks = checks
    self.pictures = pictures
    self.films = films
    self.enrolments = enrolments
    self.lockouts = lockouts
  }

  /// True when nothing was there.
  public var isEmpty: Bool { self == ErasedPerson(checks: 0, pictures: 0, films: 0, enrolments: 0, lockouts: 0) }
}
