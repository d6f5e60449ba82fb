/// Result of inspecting one aspect of a scan, with advice that a person can act on.
public struct ScanFinding: Hashable, Sendable {
  /// Inspected aspect; a stable code for programs.
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
    case colorSharpness = "color-sharpness"
    case colorExposure = "color-exposure"
    case photoCount = "photo-count"
    case photoFaces = "photo-faces"
    case photoSharpness = "photo-sharpness"
    case photoExposure = "photo-exposure"
    case photoSize = "photo-size"
    case photoPoses = "photo-poses"
  }

  public enum Grade: String, Hashable, Sendable, CaseIterable {
    case pass, warn, fail
    /// There was nothing to inspect, which is not a pass.
    case notAssessed = "not-assessed"
  }

  public let item: Item
  public let grade: Grade
  /// Value that determined the grade, in ``unit``; nil if it could not be measured.
  public let value: Double?
  public let unit: String
  /// Messages about the result and what to do about it.
  public let remarks: [ScanDiagnostic]
  /// The messages in English.
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
  /// Worst grade of all assessed findings; `notAssessed` if none was.
  public var grade: ScanFinding.Grade {
    let grades = Set(map(\.grade))
    return [.fail, .warn, .pass].first(where: grades.contains) ?? .notAssessed
  }
}
