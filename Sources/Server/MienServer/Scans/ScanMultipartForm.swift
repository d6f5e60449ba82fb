internal import MienMultipart
internal import MienPlatform
internal import MienScanService
internal import NIOCore

/// Builds a draft from the parts of `POST /upload`, in any order.
struct ScanMultipartForm: MultipartHandler {
  private enum Part: String, CaseIterable {
    case image1, image2, image3
    case depth = "depth_scan"
    case metadata, scan, subject, label

    /// `true` for short text instead of a file.
    var isText: Bool { self == .subject || self == .label }
  }

  private(set) var draft = ScanDraft()
  private let service: ScanService
  private let maximumBytes: Int
  private var seen: Set<Part> = []
  private var part: Part?
  private var name = ""
  private var file: PendingBlob?
  private var sink: BufferedBlobWriter?
  private var text: [UInt8] = []
  private var total = 0

  /// - Parameter maximumBytes: maximum size of all parts together.
  init(service: ScanService, maximumBytes: Int) {
    self.service = service
    self.maximumBytes = maximumBytes
  }

  mutating func begin(_ header: PartHeader) async throws {
    guard let part = Part(rawValue: header.name) else {
      throw ServiceError(
        .badForm,
        "There is no part \"\(header.name.prefix(64))\" here; the parts are \(Part.allCases.map(\.rawValue).joined(separator: ", "))."
      )
    }
    guard seen.insert(part).inserted else { throw ServiceError(.badForm, "\"\(part.rawValue)\" comes twice.") }
    self.part = part
    text = []
    sink = nil
    guard !part.isText else { return }
    let file = try await service.begin()
    // Added to the draft at once, so that it is discarded if the form is aborted.
    draft.files.append(ScanDraft.Part(name: part.rawValue, type: "application/octet-stream", file: file))
    self.file = file
    sink = BufferedBlobWriter(file)
  }

  mutating func take(_ bytes: ByteBufferView) async throws {
    guard let part else { return }
    total += bytes.count
    let limit =
      part.isText || part == .metadata ? service.settings.maximumTextBytes : maximumBytes
    guard (sink?.size ?? text.count) + bytes.count <= limit, total <= maximumBytes else {
      throw ServiceError(.bodyTooLarge, "\"\(part.rawValue)\" is larger than the limit of \(limit) bytes.")
    }
    if part.isText { text += bytes } else { try await sink?.take(bytes) }
  }

  mutating func end() async throws {
    guard let part else { return }
    defer { self.part = nil }
    switch part {
    case .subject: draft.subject = try words()
    case .label: draft.label = try words()
    default:
      try await sink?.flush()
      guard let sink, let file, sink.size > 0 else {
        throw ServiceError(.badValue, "\"\(part.rawValue)\" is empty.")
      }
      let name = try Self.name(of: part, sink)
      let type = ScanService.type(ofHead: sink.head, name: name)
      draft.files[draft.files.count - 1] = ScanDraft.Part(name: name, type: type, file: file)
    }
  }

  private func words() throws -> String {
    guard let words = String(validating: text, as: UTF8.self) else {
      throw ServiceError(.badForm, "\"\(part?.rawValue ?? "")\" is not valid text.")
    }
    return words
  }

  /// Returns the stored name of a part, independent of the name sent by the client.
  private static func name(of part: Part, _ sink: BufferedBlobWriter) throws -> String {
    switch part {
    case .image1, .image2, .image3:
      guard let type = sink.imageType else {
        throw ServiceError(.notAImage, "\"\(part.rawValue)\" is neither a JPEG nor a PNG, whatever its name says.")
      }
      return "\(part.rawValue).\(type == "image/png" ? "png" : "jpg")"
    case .metadata: return "metadata.json"
    case .scan:
      return ScanService.type(ofHead: sink.head, name: "") == "application/zip" ? "scan.zip" : "scan.mien"
    case .depth, .subject, .label: return "depth_scan.bin"
    }
  }
}
