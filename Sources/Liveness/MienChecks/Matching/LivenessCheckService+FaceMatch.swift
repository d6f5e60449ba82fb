public import MienCore
internal import MienFaceMatch
internal import MienPlatform

/// Comparison of a check's face with its reference, as the subject may see it: without the similarity.
public enum MatchState: Hashable, Sendable {
  /// The check compares no faces.
  case off
  /// The face will be compared if the check passes.
  case open
  /// The subject declined the comparison.
  case declined
  /// The result of a decided check.
  case decided(Finding)
}

extension LivenessCheckService {
  /// Returns the comparer of faces.
  ///
  /// - Throws: ``ServiceError`` with `modelUnavailable` on a server without the recognition model.
  public nonisolated func expectFaceComparer() throws -> FaceComparer {
    guard let comparer else {
      throw ServiceError(
        .modelUnavailable,
        "This server compares no faces: its recognition model is not installed. scripts/install-parts installs it.")
    }
    return comparer
  }

  /// Returns the state of a check's comparison, for the holder of its token. A decided check is reported after the
  /// token's expiry as well.
  public nonisolated func matchState(of id: CheckID, token: String?) async throws -> MatchState {
    let digest = try expectToken(token, of: id)
    guard let found = try await store.check(id) else { throw Self.noSuchCheck }
    guard let result = found.result, found.record.token == digest else {
      try admit(found.record, digest)
      guard found.record.comparesFace else { return .off }
      return found.record.faceReference?.isDeclined == true ? .declined : .open
    }
    return result.findings.first { $0.check == ReferenceMatch.check }.map { .decided($0) } ?? .off
  }

  /// Deletes the template of a check's reference before the check begins, because the subject declines the comparison.
  /// A repeated request changes nothing.
  public func declineMatch(of id: CheckID, token: String?) async throws {
    let digest = try expectToken(token, of: id)
    guard let found = try await store.check(id) else { throw Self.noSuchCheck }
    if let result = found.result, found.record.token == digest { throw Self.over(result, side: found.record.side) }
    try admit(found.record, digest)
    guard found.record.comparesFace else {
      throw ServiceError(
        .badValue,
        "This check compares no faces: it was created without \"reference_image\" and \"template\": \"match\".")
    }
    guard found.record.faceReference?.isDeclined != true else { return }
    guard live[id] == nil, try await store.declineMatch(of: id) else {
      throw ServiceError(
        .forbidden,
        "This check has begun, and compares the face if it passes. Stop sending frames to end it without a comparison.")
    }
    // A frame that arrived at the same moment may have opened the check with its reference: the next one opens it again.
    if let check = live[id], check.record.faceReference?.isDeclined != true { live[id] = nil }
  }

  /// Returns the template of a reference image.
  ///
  /// - Throws: ``ServiceError`` with `notAssessed` and the reason if its face cannot be compared.
  nonisolated func faceReference(in image: [UInt8], sources: CheckSources) async throws -> FaceReference {
    guard sources.contains(.observed) else {
      throw ServiceError(
        .badValue, "\"reference_image\" needs frames to compare with: add \"observed\" to \"sources\", or leave it out."
      )
    }
    let found = try await expectFaceComparer().face(in: image)
    guard let template = found.face?.template else {
      let problem = found.problem ?? .noFace
      throw ServiceError(
        .notAssessed,
        "The face in \"reference_image\" cannot be compared (\(problem.rawValue)). \(problem.advice)")
    }
    return FaceReference(template)
  }
}

extension FaceImageProblem {
  /// Advice for the integrator.
  package var advice: String {
    switch self {
    case .noFace: "Send a picture that shows one face from the front."
    case .severalFaces: "Send a picture with one face, or cut it out."
    case .tooSmall: "Send a larger picture, or cut the face out of a picture of higher resolution."
    case .turned: "Send a picture that shows the face from the front."
    case .blurred: "Send a sharp picture."
    case .covered: "Send a picture that shows the whole face."
    case .tooDark, .tooBright: "Send a picture with even light on the face."
    }
  }
}
