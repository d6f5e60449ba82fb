internal import Foundation
internal import MienCore
package import MienChecks
package import MienEvaluation
internal import MienFaceMatch
internal import MienFiles
internal import MienPlatform

/// Input of an evaluation of face match: a table of templates, or a table of pictures and clips from which templates are
/// made.
package struct MatchInput {
  private enum Table {
    case templates(TemplateManifest)
    case clips(ClipManifest)
  }

  /// Minimum time between two compared frames of a clip, and maximum number of them.
  private static let pace = Interval.milliseconds(500)
  private static let mostFrames = 14

  private let path: String
  private let table: Table

  /// - Throws: ``OperationError`` if the table cannot be read.
  package init(manifest path: String) throws {
    self.path = path
    let text = String(decoding: try InputFile.bytes(path), as: UTF8.self)
    do throws(MatchTableError) {
      table =
        TemplateManifest.isTemplateTable(text)
        ? .templates(try TemplateManifest(text)) : .clips(try ClipManifest(text))
    } catch {
      throw OperationError("\(path): \(error).")
    }
  }

  /// `true` if pictures have to be read, for which the recognition model is needed.
  package var needsModel: Bool {
    if case .clips = table { true } else { false }
  }

  /// Returns the templates of the table, or makes them: one per picture, and one each half second of a clip, 14 at most.
  ///
  /// - Parameters:
  ///   - comparer: `nil` if ``needsModel`` is `false`.
  ///   - onUnreadable: called with a line for each picture that cannot be decoded; it counts as not assessed.
  ///   - progress: called with the number of finished files and their total.
  /// - Throws: ``OperationError`` if a file is missing, or a clip cannot be decoded.
  package func templates(
    _ comparer: FaceComparer?, onUnreadable: (String) -> Void, progress: (Int, Int) -> Void
  ) async throws -> TemplateManifest {
    switch table {
    case .templates(let manifest): return manifest
    case .clips(let manifest):
      guard let comparer else { throw OperationError("\(path): the recognition model is needed to read its pictures.") }
      let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
      var rows: [TemplateManifest.Row] = []
      for (index, row) in manifest.rows.enumerated() {
        progress(index, manifest.rows.count)
        let file = "\(folder)/\(row.path)"
        for (id, image) in try await Self.images(of: file, named: row.path) {
          let (template, problem) = try await Self.template(of: image, comparer, path: file)
          if let problem, problem == ServiceError.Code.notAImage.text { onUnreadable("\(file): \(problem)") }
          rows.append(
            TemplateManifest.Row(
              id: id, person: row.person, clip: row.clip, label: row.label, liveness: row.liveness, template: template,
              problem: problem ?? ""))
        }
      }
      progress(manifest.rows.count, manifest.rows.count)
      let made = TemplateManifest(
        rows: rows, model: FaceTemplate.model, hasLiveness: manifest.rows.contains { $0.liveness != nil })
      do throws(MatchTableError) {
        // Reading it back applies the limits and finds files that are there twice.
        return try TemplateManifest(made.text)
      } catch {
        throw OperationError("\(path): in the table of its templates, \(error).")
      }
    }
  }

  /// Returns a picture, or the frames of a clip, with names.
  private static func images(of file: String, named name: String) async throws -> [(id: String, image: [UInt8])] {
    if Input.isImage(file) { return [(name, try InputFile.bytes(file))] }
    guard FileManager.default.fileExists(atPath: file) else { throw OperationError("\(file) is not there.") }
    var found: [(String, [UInt8])] = []
    var last: MonotonicInstant?
    try await VideoFrames(path: file).forEach { frame, _, _ in
      guard found.count < mostFrames, last.map({ frame.at.since($0).nanoseconds >= pace.nanoseconds }) != false else {
        return
      }
      last = frame.at
      let hundredths = frame.at.nanoseconds / 10_000_000
      let fraction = String(hundredths % 100 + 100).dropFirst()
      found.append(("\(name)@\(hundredths / 100).\(fraction)", frame.bytes))
    }
    return found
  }

  private static func template(
    of image: [UInt8], _ comparer: FaceComparer, path: String
  ) async throws -> (template: FaceTemplate?, problem: String?) {
    do {
      let (face, problem) = try await comparer.face(in: image)
      return (face?.template, problem?.rawValue)
    } catch let error as ServiceError {
      guard error.code == .notAImage || error.code == .imageTooLarge else {
        throw OperationError("\(path): \(error.reason)")
      }
      return (nil, error.code.text)
    }
  }
}
