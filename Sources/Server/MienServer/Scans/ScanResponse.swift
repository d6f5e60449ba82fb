internal import Foundation
internal import MienPlatform
internal import MienScanService

/// A scan as returned to its sender.
struct ScanResponse: Encodable {
  struct Progress: Encodable {
    let phase: String
    let fraction: Double
  }

  struct Problem: Encodable {
    let code: String
    let detail: String
  }

  struct File: Encodable {
    let name: String
    let bytes: Int
    let received: Int
    let type: String
    let sha256: String?
    /// Present once the file is complete.
    let url: String?
    /// Present while the file is incomplete.
    let upload: String?
  }

  struct Photo: Encodable {
    let name: String
    let url: String
    let width: Int
    let height: Int
    let measures: [ScanReport.Photo.Measure]?
  }

  struct Depth: Encodable {
    let frames: Int
    let width: Int
    let height: Int
    let sensor: String
    let device: String
    let format: String
    let unitMicrometers: Int
    let frameURL: String

    enum CodingKeys: String, CodingKey {
      case frames, width, height, sensor, device, format
      case unitMicrometers = "unit_micrometers"
      case frameURL = "frame_url"
    }
  }

  struct Result: Encodable {
    let name: String
    let bytes: Int
    let type: String
    let sha256: String?
    let url: String
  }

  let id: String
  let url: String
  let subject: String?
  let subjectName: String?
  let label: String?
  let kind: String
  let photosExpected: Int
  let voxelMillimeters: Double?
  let rangeMillimeters: [Int]?
  let createdAt: String
  let changedAt: String
  let status: String
  let progress: Progress?
  let problem: Problem?
  let grade: String?
  /// Address of a small picture of the surface; `nil` without a surface.
  let thumbnail: String?
  let files: [File]?
  let photos: [Photo]?
  let depth: Depth?
  let report: ScanReport.Report?
  let measurements: [ScanReport.Measurement]?
  let surface: ScanReport.Surface?
  let notes: [String]?
  let remarks: [ScanReport.Remark]?
  let results: [Result]?
  /// `true` if the response includes findings about a face, which requires an audit entry. Not part of the response.
  let showsFindings: Bool

  enum CodingKeys: String, CodingKey {
    case id, url, subject, label, kind, status, progress, problem, grade, thumbnail, files, photos, depth, report
    case measurements, surface, notes, remarks, results
    case subjectName = "subject_name"
    case photosExpected = "photos_expected"
    case voxelMillimeters = "voxel_millimeters"
    case rangeMillimeters = "range_millimeters"
    case createdAt = "created_at"
    case changedAt = "changed_at"
  }

  /// - Parameter short: `true` for lists, without files and findings.
  init(_ scan: ScanRecord, short: Bool = false) {
    let place = "/v1/scans/\(scan.id.text)"
    id = scan.id.text
    url = place
    subject = scan.subject?.text
    subjectName = scan.subjectName
    label = scan.label
    kind = scan.kind.rawValue
    photosExpected = scan.photosExpected
    voxelMillimeters = scan.options.voxel.map { Double($0) / 1000 }
    rangeMillimeters = scan.options.range.map { [$0.lowerBound, $0.upperBound] }
    createdAt = JSONResponse.rfc3339(milliseconds: scan.created.milliseconds)
    changedAt = JSONResponse.rfc3339(milliseconds: scan.changed.milliseconds)
    status = scan.status.rawValue
    progress = scan.progress.map { Progress(phase: $0.phase.rawValue, fraction: $0.fraction) }
    problem = scan.problem.map { Problem(code: $0.code, detail: $0.detail) }
    // Findings from before a reprocessing are outdated.
    let outcome = scan.status == .done ? scan.outcome : nil
    grade = outcome?.report?.outcome
    thumbnail = outcome?.surface == nil ? nil : Self.url(place, "results", "thumbnail.jpg")
    showsFindings = !short && scan.status == .done
    guard !short else {
      (files, photos, depth, report) = (nil, nil, nil, nil)
      (measurements, surface, notes, remarks, results) = (nil, nil, nil, nil, nil)
      return
    }
    files = scan.files.map { file in
      File(
        name: file.name, bytes: file.bytes, received: file.received, type: file.type,
        sha256: file.digest.map(\.description), url: file.isWhole ? Self.url(place, "files", file.name) : nil,
        upload: file.isWhole ? nil : file.upload.map { "/v1/uploads/\($0.text)" })
    }
    photos = (outcome?.photos ?? []).map { photo in
      let folder = scan.results.contains { $0.name == photo.name } ? "results" : "files"
      return Photo(
        name: photo.name, url: Self.url(place, folder, photo.name), width: photo.width, height: photo.height,
        measures: photo.measures)
    }
    depth = outcome?.depth.map { depth in
      Depth(
        frames: depth.frames, width: depth.width, height: depth.height, sensor: depth.sensor, device: depth.device,
        format: depth.format, unitMicrometers: depth.micrometersPerStep, frameURL: "\(place)/depth/{frame}.png")
    }
    report = outcome?.report
    measurements = outcome?.measurements ?? []
    surface = outcome?.surface
    notes = outcome?.notes ?? []
    remarks = outcome?.remarks
    results =
      scan.status == .done
      ? scan.results.map { file in
        Result(
          name: file.name, bytes: file.bytes, type: file.type, sha256: file.digest.map(\.description),
          url: Self.url(place, "results", file.name))
      } : []
  }

  private static func url(_ place: String, _ folder: String, _ name: String) -> String {
    let allowed = CharacterSet(charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/")
    return "\(place)/\(folder)/\(name.addingPercentEncoding(withAllowedCharacters: allowed) ?? name)"
  }
}

/// One page of the list of scans.
struct ScanListResponse: Encodable {
  let scans: [ScanResponse]
  let total: Int
  let next: String?

  init(_ page: ScanPage<ScanRecord>) {
    scans = page.items.map { ScanResponse($0, short: true) }
    total = page.total
    next = page.next?.text
  }
}

/// Response to `POST /upload`.
struct UploadedResponse: Encodable {
  let scanID: String
  let status: String
  let url: String

  enum CodingKeys: String, CodingKey {
    case status, url
    case scanID = "scan_id"
  }

  init(_ scan: ScanRecord) {
    scanID = scan.id.text
    status = scan.status.rawValue
    url = "/v1/scans/\(scan.id.text)"
  }
}

/// A subject as returned to clients.
struct SubjectResponse: Encodable {
  let id: String
  let name: String
  let note: String?
  let due: String?
  let createdAt: String
  let scans: Int

  enum CodingKeys: String, CodingKey {
    case id, name, note, due, scans
    case createdAt = "created_at"
  }

  init(_ subject: ScanSubject) {
    id = subject.id.text
    name = subject.name
    note = subject.note
    due = subject.due
    createdAt = JSONResponse.rfc3339(milliseconds: subject.created.milliseconds)
    scans = subject.scans
  }
}

/// One page of the list of subjects.
struct SubjectListResponse: Encodable {
  let subjects: [SubjectResponse]
  let total: Int
  let next: String?

  init(_ page: ScanPage<ScanSubject>) {
    subjects = page.items.map(SubjectResponse.init)
    total = page.total
    next = page.next?.text
  }
}

/// Response to the deletion of a subject.
struct DeletedSubjectResponse: Encodable {
  let scans: Int
}
