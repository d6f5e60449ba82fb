internal import MienChecks
internal import MienAPI
internal import MienCore
internal import MienFiles
internal import MienLiveness

/// Outcome of an offline check, as text and as JSON.
package struct OfflineOutcome {
  let verdict: Verdict?
  let findings: [Finding]
  let evidence: HeadTurnEvidence?
  /// Source of the evidence: pixels, or a recording that claims what they showed.
  let source: CheckResult.Source
  let frames: Int
  let facesWithPose: Int
  let inputEnded: Bool

  /// 0 if passed, 1 if failed, 2 if not assessed because no face was found.
  package var exitCode: Int32 {
    if case .accepted? = verdict { return 0 }
    return facesWithPose == 0 ? 2 : 1
  }

  /// `passed`, `failed`, `timed-out` or `not-assessed`, and the reason.
  var words: (verdict: String, reason: String?) {
    guard exitCode != 2 else {
      return ("not-assessed", frames == 0 ? UnavailableReason.tooFewFrames(0).code : UnavailableReason.noFace.code)
    }
    return switch verdict {
    case .accepted: ("passed", nil)
    // The time without frames at the end is due to the input, not to the person.
    case _ where inputEnded: ("failed", "input-ended")
    case .refused(let reason, _): ("failed", reason)
    case .timedOut(let reason, _): ("timed-out", reason)
    case nil: ("failed", "input-ended")
    }
  }

  /// `true` if the head turned to the other side.
  var isWrongDirection: Bool { words.reason == TaskFailure.wrongDirection.rawValue }

  /// - Parameter challenge: the turn; `nil` if none was named and none was found.
  package func text(challenge: String?) -> String {
    var line = "\(words.verdict): \(challenge ?? "no turn to either side")"
    if let reason = words.reason { line += " (\(reason))" }
    line += ", \(frames) frames judged, source \(source.rawValue), basis \(source.basis.rawValue)"
    return line
  }

  package func jsonText(challenge: String?) throws -> String {
    struct Reply: Encodable {
      let verdict: String
      let challenge: String?
      let reason: String?
      let source: String
      let basis: String
      let frames: Int
      let input_ended: Bool
      let findings: [FindingResponse]
      let evidence: EvidenceResponse?
    }
    return try JSONText.make(
      Reply(
        verdict: words.verdict, challenge: challenge, reason: words.reason, source: source.rawValue,
        basis: source.basis.rawValue, frames: frames, input_ended: inputEnded,
        findings: findings.map(FindingResponse.init),
        evidence: evidence.map { EvidenceResponse(outboundPath: $0.outboundPath, returnPath: $0.returnPath) }))
  }
}
