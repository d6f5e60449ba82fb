public import MienCore
public import MienPlatform

/// Purpose for which a check uses the template of its person.
public enum TemplateUse: String, Hashable, Sendable, CaseIterable {
  /// Compares the face with the template of the enrolled person.
  case match
  /// Keeps the template of the check's own frames, if it passes, so that the person can be enrolled.
  case enroll
}

/// The template of an enrolled person.
public struct EnrolledTemplate: Hashable, Sendable {
  /// Version of the model that made the template.
  public let model: String
  public let created: UnixTime
  /// Check whose frames the template was made from; `nil` if an operator sent a picture.
  public let check: CheckID?
  public let face: FaceReference

  public init(model: String, created: UnixTime, check: CheckID?, face: FaceReference) {
    self.model = model
    self.created = created
    self.check = check
    self.face = face
  }
}

/// Stores the templates of enrolled persons, one for each, and for a day those of checks from which persons can be
/// enrolled. Templates are found by the ID of their person or check only.
public protocol TemplateStore: Sendable {
  /// Returns the template that ``CheckStore/decide(_:_:keeping:template:counting:under:)`` kept of a check; `nil` if
  /// there is none, or no longer.
  func keptTemplate(of check: CheckID) async throws -> FaceReference?

  /// Returns the template of a person; `nil` if the person has none.
  func template(of person: PersonID) async throws -> EnrolledTemplate?

  /// Stores the template of a person in place of an earlier one. The template that was kept of its check is deleted in
  /// the same transaction.
  ///
  /// - Throws: ``StoreError`` with `missing` if no template of the check is kept: it was used or deleted in the meantime.
  func enroll(_ person: PersonID, _ template: EnrolledTemplate) async throws

  /// Deletes the template of a person and those kept of the person's checks; returns their number.
  func deleteTemplates(of person: PersonID) async throws -> Int

  /// Deletes the templates kept of checks that were decided before `time`; returns their number.
  func deleteKeptTemplates(decidedBefore time: UnixTime) async throws -> Int
}

/// A template as stored: that of a reference picture until its check is decided, or that of an enrolled person.
public struct FaceReference: Hashable, Sendable {
  /// ``FaceTemplate/bytes``.
  public let bytes: [UInt8]

  public init(_ template: FaceTemplate) { bytes = template.bytes }

  /// Creates a reference from stored bytes.
  public init(stored bytes: [UInt8]) { self.bytes = bytes }

  /// Version of the model that made the template; empty for bytes of another format.
  public var model: String { String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self) }

  /// Takes the place of the template when the subject declines the comparison.
  public static let declined = FaceReference(stored: Array("declined".utf8))

  /// `true` if the subject declined the comparison; there is no template then.
  public var isDeclined: Bool { self == .declined }

  /// The template; `nil` if it is of another model version, or was deleted because the comparison was declined.
  public var template: FaceTemplate? { FaceTemplate(bytes: bytes) }
}

extension FaceReference: CustomStringConvertible, CustomReflectable {
  public var description: String { "FaceReference(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
