import ArgumentParser
import Foundation
import MienChecks
import MienCore
import MienEvaluation
import MienFaceMatch
import MienFileAnalysis
import MienFiles
import MienPlatform
import MienRuntime
import MienTracking

/// `mien compare`: compares the faces of two images, or measures error rates over labeled pairs.
struct CompareCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare", abstract: "Compare the faces of two images.",
    discussion: """
      Compares one face with one other; nothing is stored. A similarity from the threshold on counts as one person. A face \
      that is too small, turned, blurred or covered is not assessed.
      With --pairs, FILE is a table of tab-separated values with a header: first and second (paths relative to it), same \
      (yes or no), and optionally similarity, which is used instead of measuring. See \
      Documentation/reference/formats/EvaluationManifest.md.
      Exit status: 0 one person, 1 different people, 2 not assessed or an error, 64 usage error; with --pairs 0 success.
      """)

  @Argument(help: "Two images, JPEG or PNG.", completion: .file())
  var images: [String] = []
  @Option(help: "Measure error rates over this table of labeled pairs.", completion: .file())
  var pairs: String?
  @Option(help: "With --pairs: write the table with similarities to this file.", completion: .file())
  var scores: String?
  @Option(help: "Similarity from which on two faces count as one person's, -1 to 1.")
  var threshold = MatchThreshold.standard.published
  @Flag(help: "Print JSON.")
  var json = false
  @OptionGroup var assets: AssetOptions

  func validate() throws {
    guard pairs == nil ? images.count == 2 : images.isEmpty else {
      throw ValidationError("Give two images, or --pairs with a table.")
    }
    guard scores == nil || pairs != nil else { throw ValidationError("--scores goes with --pairs.") }
    guard (-1...1).contains(threshold) else { throw ValidationError("--threshold must be -1 to 1.") }
  }

  func run() async throws {
    try await Terminal.reporting {
      if let pairs { try await evaluate(pairs) } else { try await compare() }
    }
  }

  private func compare() async throws {
    let comparer = try await comparer()
    let faces = try await [face(images[0], comparer), face(images[1], comparer)]
    guard let one = faces[0].face?.template, let other = faces[1].face?.template else {
      let problems = zip(images, faces).compactMap { path, face in face.problem.map { "\(path): \($0.rawValue)" } }
      if json {
        let codes = faces.map { $0.problem?.rawValue }
        try Terminal.say(JSONText.make(Answer(decision: "not-assessed", problems: codes)))
      } else {
        try Terminal.say("not assessed: \(problems.joined(separator: ", "))")
      }
      throw ExitCode(2)
    }
    let similarity = Double(one.similarity(to: other))
    let isMatch = similarity >= threshold
    let rounded = (similarity * 1000).rounded() / 1000
    if json {
      try Terminal.say(
        JSONText.make(
          Answer(decision: isMatch ? "match" : "no-match", similarity: rounded, threshold: threshold)))
    } else {
      try Terminal.say("\(isMatch ? "one person" : "different people"): similarity \(rounded), threshold \(threshold)")
    }
    if !isMatch { throw ExitCode(1) }
  }

  private func evaluate(_ path: String) async throws {
    var manifest: PairManifest
    do throws(Manifest.FormatError) {
      manifest = try PairManifest(String(decoding: try Self.bytes(path), as: UTF8.self))
    } catch {
      throw OperationError("\(path): \(error)")
    }
    if !manifest.hasSimilarities { try await measure(&manifest, in: Input.folder(of: path)) }
    if let scores {
      do {
        try Data(manifest.text.utf8).write(to: URL(fileURLWithPath: scores), options: .atomic)
      } catch {
        throw OperationError("\(scores) cannot be written: \(error.fileReason)")
      }
    }
    let around = [threshold, threshold + 0.05, threshold + 0.1, threshold + 0.15].filter { $0 <= 1 }
    let result = MatchEvaluation(manifest.pairs, thresholds: around)
    if json { return try Terminal.say(JSONText.make(result)) }
    for line in Self.lines(result) { try Terminal.say(line) }
  }

  private static func bytes(_ path: String) throws(Manifest.FormatError) -> ContiguousArray<UInt8> {
    guard let data = FileManager.default.contents(atPath: path) else { throw .noRows }
    return ContiguousArray(data)
  }

  /// Computes the similarities of all pairs; each image is examined once.
  private func measure(_ manifest: inout PairManifest, in folder: String) async throws {
    let comparer = try await comparer()
    let paths = Set(manifest.pairs.flatMap { [$0.first, $0.second] }).sorted()
    var templates: [String: FaceTemplate] = [:]
    var progress = Terminal.Progress()
    for (index, path) in paths.enumerated() {
      let found = try await face("\(folder)/\(path)", comparer)
      if let problem = found.problem { Terminal.note("\(path): \(problem.rawValue)") }
      templates[path] = found.face?.template
      progress.show(index + 1, of: paths.count, what: "pictures")
    }
    for index in manifest.pairs.indices {
      let pair = manifest.pairs[index]
      guard let one = templates[pair.first], let other = templates[pair.second] else { continue }
      manifest.pairs[index].similarity = Double(one.similarity(to: other))
    }
  }

  private func comparer() async throws -> FaceComparer {
    let matcher = FaceMatcher(models: assets.location.models, tracker: try await Tracker.make(assets))
    let obstacles = await matcher.obstacles()
    guard obstacles.isEmpty else {
      for obstacle in obstacles { Terminal.note("\(assets.location.text(obstacle)) Run scripts/install-parts.") }
      throw ExitCode(2)
    }
    return FaceComparer(matcher)
  }

  private func face(
    _ path: String, _ comparer: FaceComparer
  ) async throws -> (face: FaceComparer.Face?, problem: FaceImageProblem?) {
    do {
      return try await comparer.face(in: try InputFile.bytes(path))
    } catch let error as ServiceError {
      throw OperationError("\(path): \(error.reason)")
    }
  }

  private static func lines(_ result: MatchEvaluation) -> [String] {
    func percent(_ rate: ErrorRate) -> String {
      guard let value = rate.value else { return "–" }
      func text(_ share: Double) -> String { "\((share * 10_000).rounded() / 100)" }
      return "\(text(value)) % (\(rate.errors) of \(rate.of), 95 % interval \(text(rate.lower))–\(text(rate.upper)))"
    }
    func decimal(_ value: Double?) -> String { value.map { "\(($0 * 1000).rounded() / 1000)" } ?? "–" }
    return result.rows.map { row in
      "threshold \(decimal(row.threshold)): false match rate \(percent(row.falseMatches)), "
        + "false non-match rate \(percent(row.falseNonMatches))"
    } + [
      "lowest similarity of one person \(decimal(result.lowestSame)), highest of different people "
        + decimal(result.highestDifferent),
      "area under the curve \(decimal(result.auc)), equal error rate \(decimal(result.eer))",
      "not assessed: \(result.sameNotAssessed.errors) pairs of one person, "
        + "\(result.differentNotAssessed.errors) of different people",
    ]
  }

  private struct Answer: Encodable {
    var decision: String
    var similarity: Double?
    var threshold: Double?
    var problems: [String?]?
  }
}
