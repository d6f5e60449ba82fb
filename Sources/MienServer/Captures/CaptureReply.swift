internal import MienAuthenticity
internal import MienService

/// A capture as a verifier sees it. Here and not in MienWire, because the findings have their JSON in MienAuthenticity.
struct CaptureReply: Encodable {
  struct Line: Encodable {
    let name: String
    let status: String
    let reasons: [String]

    init(_ line: CaptureLine) {
      name = line.name.rawValue
      status = line.status.rawValue
      reasons = line.reasons
    }
  }

  struct File: Encodable {
    let sha256: String
    let bytes: Int?
    let type: String?
    let url: String?
  }

  struct Signature: Encodable {
    let device: String
    let counter: Int64
    let standing: String
    let changed: [String]
  }

  struct Disagreement: Encodable {
    let subject: String
    let claimed: String
    let found: String
  }

  struct Drawing: Encodable {
    let kind: String
    let url: String
  }

  struct Claimed: Encodable {
    let metadata: CaptureMetadata?
    let detection: DetectionResults?
  }

  let id: String
  let state: String
  let receivedAt: String
  let page: String
  let photo: File
  let depth: File?
  let lines: [Line]
  let signature: Signature?
  let claimed: Claimed?
  let results: DetectionResults?
  let disagreements: [Disagreement]
  let drawings: [Drawing]
  /// How many captures wait or are being looked at, while this one is not analysed.
  let ahead: Int?
  /// In the reply to the sender only.
  var receipt: String?

  enum CodingKeys: String, CodingKey {
    case id, state, page, photo, lines, signature, claimed, results, disagreements, drawings, ahead, receipt
    case receivedAt = "received_at"
    case depth = "depth_map"
  }

  init(_ capture: CaptureRecord, drawings: [CaptureDrawing.Kind], ahead: Int?) {
    let place = "/v1/captures/\(capture.id.text)"
    id = capture.id.text
    state = capture.state.rawValue
    receivedAt = Replies.rfc3339(milliseconds: capture.received.milliseconds)
    page = "/verify/\(capture.id.text)"
    photo = File(
      sha256: capture.photo.digest.description, bytes: capture.photo.size, type: capture.photoType,
      url: capture.photo.blob.map { _ in "\(place)/parts/photo" })
    depth = capture.depth.map {
      File(
        sha256: $0.digest.description, bytes: $0.size, type: nil,
        url: $0.blob.map { _ in "\(place)/parts/depth_map" })
    }
    lines = CaptureLines.lines(of: capture).map(Line.init)
    signature = capture.signature.map {
      Signature(
        device: $0.device, counter: $0.counter, standing: $0.standing.rawValue, changed: $0.changed.map(\.rawValue))
    }
    claimed =
      capture.metadata == nil && capture.detection == nil
      ? nil : Claimed(metadata: capture.claims.metadata, detection: capture.claims.detection)
    results = capture.results
    disagreements = (capture.results.map { ClaimComparison(capture.claims, $0).disagreements } ?? []).map {
      Disagreement(subject: $0.subject, claimed: $0.claimed, found: $0.found)
    }
    self.drawings = drawings.map { Drawing(kind: $0.rawValue, url: "\(place)/drawings/\($0.rawValue)") }
    self.ahead = capture.state == .queued ? ahead : nil
  }
}

/// The reply to `POST /v1/verify-file`.
struct FileReply: Encodable {
  let sha256: String
  /// `known` or `unknown`.
  let file: String
  /// Captures of just these bytes, oldest first; the ids lead to their pages.
  let captures: [String]
  /// What the checks find in an unknown file.
  let results: DetectionResults?
  let lines: [CaptureReply.Line]
}
