internal import Foundation
package import MienAuthenticity
package import MienEvaluation
internal import MienFiles

/// Evaluation of the checks over a table of labeled images.
package struct PhotoEvaluation {
  package struct Outcome {
    package let evaluations: [Evaluation]
    /// Number of images in the table.
    package let presentations: Int
    /// Number of images that could not be read.
    package let unreadable: Int
    /// Table of the measurements of every image, as tab-separated values.
    package let measurements: String
  }

  private let path: String
  private let table: Manifest
  private let byFolder: Bool
  private let completing: Bool
  private let network: any TextureFeatureReading

  /// - Parameters:
  ///   - path: path of the table.
  ///   - byFolder: `true` to use the first folder of each image's path as its source instead of the column.
  ///   - completing: `true` to measure the checks that the table does not give, and to weigh all of them together.
  ///   - network: the network of the texture check.
  /// - Throws: ``OperationError`` if the table cannot be read.
  package init(
    manifest path: String, byFolder: Bool, completing: Bool = false, network: any TextureFeatureReading
  ) throws {
    self.path = path
    self.network = network
    self.byFolder = byFolder
    self.completing = completing
    let names = Set(CheckName.allCases.map(\.rawValue) + ["aggregated"])
    do {
      table = try Manifest(String(decoding: InputFile.bytes(path), as: UTF8.self), checks: names)
    } catch let error as Manifest.FormatError {
      throw OperationError("\(path): \(error).")
    }
  }

  /// Measures the images, unless the table has the measures, and evaluates the checks.
  ///
  /// - Parameters:
  ///   - measures: `true` to return the measurements too.
  ///   - onUnreadable: called with a line for each image that cannot be read.
  ///   - progress: called with the number of finished images and their total.
  /// - Throws: ``OperationError`` if no image can be read.
  package func run(
    measures: Bool, onUnreadable: (String) -> Void, progress: (Int, Int) -> Void
  ) async throws -> Outcome {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    let paths = table.rows.map { folder + "/" + $0.path }
    // Measures given in the table are used instead of measuring again.
    let photos =
      isMeasuring || measures
      ? try await BatchAnalyzer(measures: measures, network: network).read(paths, progress: progress) : []
    for (path, photo) in zip(paths, photos) {
      if let reason = photo.problem { onUnreadable("\(path): \(reason)") }
    }
    guard photos.isEmpty || photos.contains(where: { $0.problem == nil }) else {
      throw OperationError(
        "\(path): none of its \(photos.count) pictures can be read, so there is nothing to evaluate.")
    }
    let targets = isMeasuring ? EvaluationTarget.all : table.given.compactMap(EvaluationTarget.init(named:))
    let results = isMeasuring ? zip(table.rows, photos).map(results) : []
    // Includes checks without any result: APNRR and BPNRR report this.
    let evaluations = targets.map { target -> Evaluation in
      let trials = table.rows.enumerated().map { index, row in
        let (measure, answer) =
          isMeasuring ? target.answer(results[index]) : target.answer(given: row.measures[target.name])
        return Presentation(path: row.path, label: row.label, source: source(row), measure: measure, answer: answer)
      }
      // That of the texture check is another without the network.
      let used = results.lazy.compactMap { target.thresholdUsed(in: $0) }.first
      return Evaluation(check: target.name, threshold: used ?? target.threshold, trials: trials)
    }
    return Outcome(
      evaluations: evaluations, presentations: table.rows.count, unreadable: photos.count { $0.problem != nil },
      measurements: measurements(photos))
  }

  private var isMeasuring: Bool { table.given.isEmpty || completing }

  /// Returns the results of an image with the values that the table gives in place of measured ones.
  private func results(_ row: Manifest.Row, _ photo: BatchAnalyzer.Photo) -> DetectionResults? {
    guard let measured = photo.results, !table.given.isEmpty else { return photo.results }
    var natives: [CheckName: Double?] = [:]
    for (name, value) in row.measures {
      if let check = CheckName(rawValue: name) { natives.updateValue(value, forKey: check) }
    }
    return CaptureAnalyzer().weighing(measured, with: natives)
  }

  private func source(_ row: Manifest.Row) -> String {
    guard byFolder else { return row.source }
    let parts = row.path.split(separator: "/")
    return parts.count > 1 ? String(parts[0]) : row.source
  }

  private func measurements(_ photos: [BatchAnalyzer.Photo]) -> String {
    let names = CaptureAnalyzer.measureNames + (network.isAvailable ? TextureFeatures.names : [])
    var lines = [(["path", "label", "source", "tile"] + names).joined(separator: "\t")]
    for (row, photo) in zip(table.rows, photos) {
      guard let measured = photo.measures else { continue }
      let cells = [row.path, row.label, source(row), String(measured.tile)]
      lines.append((cells + measured.values.map { String($0) }).joined(separator: "\t"))
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
