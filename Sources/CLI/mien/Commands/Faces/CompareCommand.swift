import ArgumentParser
import MienChecks
import MienCore
import MienFaceMatch
import MienFiles
import MienPlatform
import MienRuntime
import MienTracking

/// `mien compare`: compares the faces of two images.
struct CompareCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare", abstract: "Compare the faces of two images.",
    discussion: """
      Compares one face with one other; nothing is stored. A similarity from the threshold on counts as one person. A face \
      that is too small, turned, blurred or covered is not assessed.
      Exit status: 0 one person, 1 different people, 2 not assessed or an error, 64 usage error.
      """)

  @Argument(help: "Two images: JPEG, PNG, HEIC, AVIF or WebP.", completion: .file())
  var images: [String] = []
  @Option(help: "Similarity from which on two faces count as one person's, -1 to 1.")
  var threshold = MatchThreshold.standard.published
  @Flag(help: "Print JSON.")
  var json = false
  @OptionGroup var assets: AssetOptions

  func validate() throws {
    guard images.count == 2 else { throw ValidationError("Give two images.") }
    guard (-1...1).contains(threshold) else { throw ValidationError("--threshold must be -1 to 1.") }
  }

  func run() async throws {
    try await Terminal.reporting { try await compare() }
  }

  private func compare() async throws {
    let comparer = try await Matcher.make(assets)
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

  private func face(
    _ path: String, _ comparer: FaceComparer
  ) async throws -> (face: FaceComparer.Face?, problem: FaceImageProblem?) {
    do {
      return try await comparer.face(in: try InputFile.bytes(path))
    } catch let error as ServiceError {
      throw OperationError("\(path): \(error.reason)")
    }
  }

  private struct Answer: Encodable {
    var decision: String
    var similarity: Double?
    var threshold: Double?
    var problems: [String?]?
  }
}

/// Creates the face comparer of a command, or prints which files are missing.
enum Matcher {
  static func make(_ assets: AssetOptions) async throws -> FaceComparer {
    let matcher = FaceMatcher(models: assets.location.models, tracker: try await Tracker.make(assets))
    let obstacles = await matcher.obstacles()
    guard obstacles.isEmpty else {
      for obstacle in obstacles { Terminal.note("\(assets.location.text(obstacle)) Run scripts/install-parts.") }
      throw ExitCode(2)
    }
    return FaceComparer(matcher)
  }
}
