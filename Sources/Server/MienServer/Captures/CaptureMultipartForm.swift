internal import Foundation
internal import MienAPI
internal import MienAuthenticity
internal import MienCaptures
internal import MienCore
internal import MienImaging
internal import MienMultipart
internal import MienPlatform
internal import NIOCore

/// Builds a draft from the parts of `POST /v1/captures`, in any order.
struct CaptureMultipartForm: MultipartHandler {
  private enum Part: String, CaseIterable {
    case photo
    case depth = "depth_map"
    case burst, clip, metadata, detection, signature, assertion, digests
  }

  private(set) var draft = CaptureDraft()
  private let service: CaptureService
  private var seen: Set<Part> = []
  private var part: Part?
  private var sink: BufferedBlobWriter?
  private var burst: BurstWriter?
  private var text: [UInt8] = []
  /// Number of bytes that all parts together may still have; `nil` if only the parts are limited.
  private var remainingBytes: Int?

  init(service: CaptureService, maximumBytes: Int?) {
    self.service = service
    remainingBytes = maximumBytes
  }

  mutating func begin(_ header: PartHeader) async throws {
    guard let part = Part(rawValue: header.name) else {
      throw ServiceError(
        .badForm,
        "There is no part \"\(header.name.prefix(64))\" here; the parts are \(Part.allCases.map(\.rawValue).joined(separator: ", "))."
      )
    }
    guard seen.insert(part).inserted || part == .burst else {
      throw ServiceError(.badForm, "\"\(part.rawValue)\" comes twice.")
    }
    self.part = part
    text = []
    guard [.photo, .depth, .clip].contains(part) || (part == .burst && burst == nil) else {
      let most = service.settings.maximumBurstFrames
      guard part != .burst || draft.burst?.frames.count ?? most < most else {
        throw ServiceError(.badForm, "\"burst\" has at most \(most) images.")
      }
      return
    }
    let file = try await service.begin()
    if part == .burst {
      let started = BurstWriter(file)
      burst = started
      draft.burst = started.burst
      return
    }
    sink = BufferedBlobWriter(file, headBytes: part == .photo ? service.headBytes : 16)
    switch part {
    case .photo: draft.photo = file
    case .clip: draft.clip = file
    default: draft.depth = file
    }
  }

  mutating func take(_ bytes: ByteBufferView) async throws {
    guard let part else { return }
    if let remainingBytes {
      guard bytes.count <= remainingBytes else { throw CheckCaptureLimits.exceeded }
      self.remainingBytes = remainingBytes - bytes.count
    }
    if part == .burst {
      let whole = service.settings.maximumMotionBytes
      guard let burst, burst.total + bytes.count <= whole else { throw Self.tooLarge("All of \"burst\"", whole) }
    }
    let limit = limit(of: part)
    let size = (part == .burst ? burst?.size : sink?.size) ?? text.count
    guard size + bytes.count <= limit else { throw Self.tooLarge("\"\(part.rawValue)\"", limit) }
    switch part {
    case .burst: try await burst?.take(bytes)
    case .photo, .depth, .clip: try await sink?.take(bytes)
    case .metadata, .detection, .signature, .assertion, .digests: text += bytes
    }
  }

  private static func tooLarge(_ what: String, _ limit: Int) -> ServiceError {
    ServiceError(.bodyTooLarge, "\(what) is larger than the limit of \(limit) bytes.")
  }

  mutating func end() async throws {
    guard let part else { return }
    try await sink?.flush()
    switch part {
    case .photo:
      let head = sink?.head ?? []
      draft.photoType = try service.imageType(of: head)
      let note = service.provenance(of: head)
      if !note.isEmpty { draft.claims.file = note }
    case .depth:
      guard let size = sink?.size, size > 0 else { throw ServiceError(.badValue, "\"depth_map\" is empty.") }
    case .burst:
      try await burst?.end()
      draft.burst = burst?.burst
    case .clip:
      draft.clipType = sink?.clipType
      guard draft.clipType != nil else {
        throw ServiceError(.badValue, "\"clip\" is neither MP4 nor WebM, whatever its name says.")
      }
    case .metadata:
      draft.claims.metadata = try json(CaptureMetadata.self)
      draft.metadata = text
    case .detection:
      draft.claims.detection = try json(DetectionResults.self)
      draft.detection = text
    case .signature: draft.signature = try signature(json(SignaturePart.self))
    case .assertion: draft.assertion = try assertion(json(AssertionPart.self))
    case .digests: draft.digests = try digests(json(DigestsPart.self))
    }
    self.part = nil
    sink = nil
  }

  private func limit(of part: Part) -> Int {
    switch part {
    case .photo: service.settings.maximumPhotoBytes
    case .depth: service.settings.maximumDepthBytes
    case .burst: service.settings.maximumBurstFrameBytes
    case .clip: service.settings.maximumMotionBytes
    case .detection: service.settings.maximumDetectionBytes
    case .metadata, .signature, .assertion, .digests: service.settings.maximumTextBytes
    }
  }

  private func json<Value: Decodable>(_: Value.Type) throws -> Value {
    let name = part?.rawValue ?? ""
    do {
      return try JSONDecoder().decode(Value.self, from: Data(text))
    } catch let error as UnknownKeyError {
      throw ServiceError(
        .unknownKey,
        "There is no key \"\(error.key)\" in \"\(name)\"; the keys are \(error.known.joined(separator: ", "))."
      )
    } catch let error as DecodingError {
      throw ServiceError(.badJSON, "\"\(name)\": \(RequestParsing.describe(error))")
    }
  }

  private func signature(_ part: SignaturePart) throws -> CaptureSignature {
    var signed = CaptureDigests()
    signed[.photo] = try digest(part.photo, "signature")
    signed[.depth] = try part.depth.map { try digest($0, "signature") }
    signed[.metadata] = try part.metadata.map { try digest($0, "signature") }
    signed[.detection] = try part.detection.map { try digest($0, "signature") }
    signed[.burst] = try part.burst.map { try digest($0, "signature") }
    signed[.clip] = try part.clip.map { try digest($0, "signature") }
    guard let device = DeviceID(part.device), let bytes = Base64URL.decode(part.signature),
      let signature = CaptureSignature(device: device, counter: part.counter, signed: signed, bytes: bytes)
    else {
      throw ServiceError(
        .badValue, "\"signature\" needs the name of a device, a counter from 1, and a signature in base64url.")
    }
    return signature
  }

  private func assertion(_ part: AssertionPart) throws -> CaptureAssertion {
    guard let keyID = Base64URL.decode(part.keyID).flatMap({ ContentDigest(bytes: $0) }),
      let object = Base64URL.decode(part.assertion)
    else {
      throw ServiceError(
        .badValue, "\"assertion\" needs a \"key_id\" of 32 bytes and an \"assertion\", both in base64url.")
    }
    return CaptureAssertion(keyID: keyID, object: object)
  }

  private func digests(_ part: DigestsPart) throws -> CaptureDigests {
    var digests = CaptureDigests()
    digests[.photo] = try digest(part.photo, "digests")
    digests[.depth] = try part.depth.map { try digest($0, "digests") }
    digests[.burst] = try part.burst.map { try digest($0, "digests") }
    digests[.clip] = try part.clip.map { try digest($0, "digests") }
    return digests
  }

  private func digest(_ text: String, _ part: String) throws -> ContentDigest {
    guard let digest = ContentDigest(hexadecimal: text) else {
      throw ServiceError(.badValue, "A digest in \"\(part)\" is 64 digits of lower-case hexadecimal.")
    }
    return digest
  }
}

/// Writes the images of a burst consecutively to one file, and computes the digest of each.
struct BurstWriter {
  private(set) var burst: CaptureDraft.Burst
  private var sink: BufferedBlobWriter
  private var digest = ContentDigest.Running()
  private var head: [UInt8] = []
  /// Size of the current image in bytes.
  private(set) var size = 0

  init(_ file: PendingBlob) {
    burst = CaptureDraft.Burst(file: file)
    sink = BufferedBlobWriter(file)
  }

  /// Total size of all images so far in bytes.
  var total: Int { sink.size }

  mutating func take(_ bytes: ByteBufferView) async throws {
    size += bytes.count
    if head.count < 3 { head += bytes.prefix(3 - head.count) }
    digest.take(Array(bytes)[...])
    try await sink.take(bytes)
  }

  /// Ends an image.
  ///
  /// - Throws: ``ServiceError`` with `notAImage` if it is not a JPEG.
  mutating func end() async throws {
    guard head == [0xFF, 0xD8, 0xFF] else {
      throw ServiceError(.notAImage, "Picture \(burst.frames.count + 1) of \"burst\" is not a JPEG.")
    }
    try await sink.flush()
    burst.frames.append(CaptureMotionMedia.Frame(size: size, digest: digest.digest))
    (size, head, digest) = (0, [], ContentDigest.Running())
  }
}
