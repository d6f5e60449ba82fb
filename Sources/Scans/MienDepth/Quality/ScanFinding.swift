/// What the check of a scan found about one item, with advice that a person can act on.
public struct ScanFinding: Hashable, Sendable {
  /// What is looked at; a stable code for programs.
  public enum Item: String, Hashable, Sendable, CaseIterable {
    case frames
    case lostFrames = "lost-frames"
    case distance
    case holes
    case confidence
    case poses
    case speed
    case turning
    case coverage
    case colorSharpness = "colour-sharpness"
    case colorExposure = "colour-exposure"
    case photoCount = "photo-count"
    case photoFaces = "photo-faces"
    case photoSharpness = "photo-sharpness"
    case photoExposure = "photo-exposure"
    case photoSize = "photo-size"
    case photoPoses = "photo-poses"
  }

  public enum Grade: String, Hashable, Sendable, CaseIterable {
    case pass, warn, fail
    /// There was nothing to look at: not a pass.
    case notAssessed = "not-assessed"
  }

  public let item: Item
  public let grade: Grade
  /// The measure that decided, in ``unit``; nil when it could not be taken.
  public let value: Double?
  public let unit: String
  /// What was found and what to do about it, one sentence after the other.
  public let remarks: [ScanDiagnostic]
  /// The same in English.
  public var words: String { remarks.words }

  public init(_ item: Item, _ grade: Grade, value: Double?, unit: String, _ remarks: [ScanDiagnostic]) {
    self.item = item
    self.grade = grade
    self.value = value
    self.unit = unit
    self.remarks = remarks
  }

  init(_ item: Item, _ grade: Grade, value: Double?, unit: String, _ code: ScanDiagnostic.Code) {
    self.init(item, grade, value: value, unit: unit, [ScanDiagnostic(code)])
  }
}

extension Sequence<ScanFinding> {
  /// The worst grade of all that were assessed; `notAssessed` when none was.
  public var grade: ScanFinding.Grade {
    let grades = Set(map(\.grade))
    return [.fail, .warn, .pass].first(where: grades.contains) ?? .notAssessed
  }
}
