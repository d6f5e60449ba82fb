internal import MienAuthenticity
internal import MienImaging
internal import MienPlatform
internal import MienCaptures

/// A capture as returned to verifiers. It is not in MienAPI because MienAuthenticity defines the JSON of the findings.
struct CaptureResponse: Encodable {
  struct SummaryItem: Encodable {
    let name: String
    let status: String
    let reasons: [String]

    init(_ line: VerificationLine) {
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

  struct Burst: Encodable {
    let sha256: String
    let frames: [File]
  }

  struct Signature: Encodable {
    let device: String
    let counter: Int64
    let status: String
    let changed: [String]
    let attestation: Attestation?
  }

  /// Result of the app attestation; absent if the server did not verify it.
  struct Attestation: Encodable {
    /// `production` or `development`; absent if no app attested the device's key.
    let environment: String?
    let assertion: String
    let counter: Int64?

    init(_ facts: AttestationOutcome) {
      environment = facts.environment?.rawValue
      assertion = facts.standing.rawValue
      counter = facts.counter
    }
  }

  struct Disagreement: Encodable {
    let subject: String
    let claimed: String
    let found: String
  }

  struct Progress: Encodable {
    let done: [String]
    let left: [String]

    init(_ progress: AnalysisProgress) {
      done = CheckGroup.allCases.filter(progress.done.contains).map(\.rawValue)
      left = CheckGroup.allCases.filter(progress.left.contains).map(\.rawValue)
    }
  }

  /// The server's own credential for the photo.
  struct Reception: Encodable {
    let signer: ContentCredential.Signer
    let bytes: Int
    let url: String
  }

  struct Visualization: Encodable {
    let kind: String
    let url: String
  }

  struct Claimed: Encodable {
    let metadata: CaptureMetadata?
    let detection: DetectionResults?
    let file: FileDescription?
  }

  /// Metadata embedded in the photo file.
  struct FileDescription: Encodable {
    /// RFC 3339, with the time zone only if the file contains one.
    let takenAt: String?
    let location: CaptureMetadata.Place?

    enum CodingKeys: String, CodingKey {
      case takenAt = "taken_at"
      case location
    }

    init(_ note: ImageProvenance) {
      takenAt = note.wallClock.map { wall in
        // Formatted as UTC first; the `Z` is then replaced by the file's own time zone.
        let text = JSONResponse.rfc3339(milliseconds: wall).prefix(19)
        return text + (note.aheadOfUTC.map(Self.zone) ?? "")
      }
      location =
        if let latitude = note.latitude, let longitude = note.longitude {
          CaptureMetadata.Place(latitude: latitude, longitude: longitude)
        } else {
          nil
        }
    }

    private static func zone(_ minutes: Int) -> String {
      func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
      return (minutes < 0 ? "-" : "+") + two(abs(minutes) / 60) + ":" + two(abs(minutes) % 60)
    }
  }

  let id: String
  let state: String
  let receivedAt: String
  let page: String
  let photo: File
  let depth: File?
  let burst: Burst?
  let clip: File?
  let summary: [SummaryItem]
  let signature: Signature?
  let claimed: Claimed?
  let results: DetectionResults?
  let provenance: ProvenanceOutcome?
  let reception: Reception?
  let disagreements: [Disagreement]
  let visualizations: [Visualization]
  /// Number of captures that are queued or being analyzed, while this one is not analyzed.
  let queuedAhead: Int?
  /// Groups of checks that are finished, during the analysis.
  let progress: Progress?
  /// In the response to the sender only.
  var receipt: String?

  enum CodingKeys: String, CodingKey {
    case id, state, page, photo, burst, clip, summary, signature, claimed, results, provenance, reception,
      disagreements,
      visualizations, receipt
    case queuedAhead = "queued_ahead"
    case receivedAt = "received_at"
    case depth = "depth_map"
  }

  init(
    _ capture: CaptureRecord, visualizations: [CaptureVisualization.Kind], queuedAhead: Int?,
    progress: AnalysisProgress? = nil
  ) {
    let place = "/v1/captures/\(capture.id.text)"
    id = capture.id.text
    state = capture.state.rawValue
    receivedAt = JSONResponse.rfc3339(milliseconds: capture.received.milliseconds)
    page = "/verify/\(capture.id.text)"
    photo = File(
      sha256: capture.photo.digest.description, bytes: capture.photo.size, type: capture.photoType,
      url: capture.photo.blob.map { _ in "\(place)/parts/photo" })
    depth = capture.depth.map {
      File(
        sha256: $0.digest.description, bytes: $0.size, type: nil,
        url: $0.blob.map { _ in "\(place)/parts/depth_map" })
    }
    (burst, clip) = Self.motion(capture.motion, place)
    summary = CaptureLines.lines(of: capture).map(SummaryItem.init)
    signature = capture.signature.map {
      Signature(
        device: $0.device, counter: $0.counter, status: $0.standing.rawValue, changed: $0.changed.map(\.rawValue),
        attestation: $0.attestation.map(Attestation.init))
    }
    claimed =
      capture.metadata == nil && capture.detection == nil && capture.claims.file == nil
      ? nil
      : Claimed(
        metadata: capture.claims.metadata, detection: capture.claims.detection,
        file: capture.claims.file.map(FileDescription.init))
    results = capture.results
    provenance = capture.provenance
    reception = capture.reception.map {
      Reception(signer: $0.signer, bytes: $0.manifest.count, url: "\(place)/reception")
    }
    disagreements = (capture.results.map { ClientServerComparison(capture.claims, $0).disagreements } ?? []).map {
      Disagreement(subject: $0.subject, claimed: $0.claimed, found: $0.found)
    }
    self.visualizations = visualizations.map {
      Visualization(kind: $0.rawValue, url: "\(place)/visualizations/\($0.rawValue)")
    }
    self.queuedAhead = capture.state == .queued ? queuedAhead : nil
    self.progress = capture.state == .queued ? progress.map(Progress.init) : nil
  }

  private static func motion(_ motion: CaptureMotionMedia?, _ place: String) -> (Burst?, File?) {
    guard let motion else { return (nil, nil) }
    guard motion.kind == .burst else {
      let url = motion.blob.map { _ in "\(place)/parts/clip" }
      return (nil, File(sha256: "\(motion.digest)", bytes: motion.size, type: motion.type, url: url))
    }
    let frames = motion.frames.enumerated().map { number, frame in
      File(
        sha256: "\(frame.digest)", bytes: frame.size, type: "image/jpeg", url: "\(place)/parts/burst/\(number)")
    }
    return (Burst(sha256: "\(motion.digest)", frames: frames), nil)
  }
}

/// Response to `POST /v1/verify-file`.
struct FileResponse: Encodable {
  let sha256: String
  /// `known` or `unknown`.
  let file: String
  /// IDs of the captures with exactly these bytes, oldest first.
  let captures: [String]
  /// Findings of the checks for an unknown file.
  let results: DetectionResults?
  let provenance: ProvenanceOutcome
  let summary: [CaptureResponse.SummaryItem]
}
