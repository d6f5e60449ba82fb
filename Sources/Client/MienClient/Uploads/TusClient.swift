internal import Foundation
internal import MienCore

#if canImport(CryptoKit)
  internal import CryptoKit
#elseif canImport(Crypto)
  internal import Crypto
#endif

/// HTTP requests of a scan upload: creates the scan, sends its files with tus 1.0 and a checksum per chunk, and submits
/// the scan.
struct TusClient: Sendable {
  let api: APIClient
  let timeout: Interval

  /// Creates a scan. Idempotent: repeating it for the same job returns the same scan.
  func create(_ job: UploadJob) async throws -> ScanStatus {
    struct Body: Encodable {
      struct File: Encodable {
        let name: String
        let bytes: Int
        let type: String?
      }
      let subject: String?
      let label: String?
      let kind: String
      let files: [File]
    }
    let options = Body(
      subject: job.subject, label: job.label, kind: job.kind.rawValue,
      files: job.files.map { Body.File(name: $0.name, bytes: $0.bytes, type: $0.type) })
    let key = job.restarts == 0 ? job.id : "\(job.id.prefix(60))_\(job.restarts)"
    return try await api.ask("POST", "/v1/scans", body: options, headers: ["Idempotency-Key": key])
  }

  func look(_ scan: String) async throws -> ScanStatus { try await api.ask("GET", try Self.place(scan)) }

  /// Returns the number of bytes of a file that the server has received.
  func offset(_ upload: String) async throws -> Int {
    try Self.offset(
      in: try await api.send(
        "HEAD", upload, headers: ["Tus-Resumable": "1.0.0", "Accept": "*/*"], body: nil, timeout: timeout))
  }

  /// Sends a chunk of a file.
  ///
  /// - Returns: the number of bytes of the file that the server has received.
  func send(_ bytes: [UInt8], to upload: String, at offset: Int) async throws -> Int {
    // Apple's systems have CryptoKit, and a server on Linux has swift-crypto. The header is optional.
    #if canImport(CryptoKit) || canImport(Crypto)
      let checksum = ["Upload-Checksum": "sha256 \(Data(SHA256.hash(data: bytes)).base64EncodedString())"]
    #else
      let checksum: [String: String] = [:]
    #endif
    let headers = [
      "Tus-Resumable": "1.0.0", "Upload-Offset": "\(offset)", "Content-Type": "application/offset+octet-stream",
    ].merging(checksum) { $1 }
    return try Self.offset(in: try await api.send("PATCH", upload, headers: headers, body: bytes, timeout: timeout))
  }

  func submit(_ scan: String) async throws { try await api.tell("POST", "\(try Self.place(scan))/submit") }

  /// Deletes a scan and its results.
  func delete(_ scan: String) async throws { try await api.tell("DELETE", try Self.place(scan)) }

  private static func place(_ scan: String) throws -> String {
    guard IdentifierRules.isPlain(scan) else {
      throw ClientError(.notFound, status: 404, detail: "A scan's id is 1 to 64 characters of A–Z a–z 0–9 - _.")
    }
    return "/v1/scans/\(scan)"
  }

  private static func offset(in reply: APIResponse) throws -> Int {
    guard (200..<300).contains(reply.status) else { throw APIClient.problem(reply) }
    guard let offset = reply.headers["upload-offset"].flatMap({ Int($0) }), offset >= 0 else {
      throw ClientError.unreadable(status: reply.status)
    }
    return offset
  }
}

/// Part of the server's scan response that an upload needs.
struct ScanStatus: Decodable {
  struct File: Decodable {
    let name: String
    let received: Int?
    let upload: String?
  }

  let id: String
  let status: String
  let files: [File]
}
