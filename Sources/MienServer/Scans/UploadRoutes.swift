internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import MienService
internal import NIOCore

/// Uploads that can be resumed: tus 1.0 with the extensions creation, checksum, termination and expiration.
extension ScanRoutes {
  func addUploads(to router: Router<ServerContext>) {
    router.on("/v1/uploads", method: .options) { _, _ in options() }
    router.on("/v1/uploads/:id", method: .options) { _, _ in options() }
    router.post("/v1/uploads") { request, _ in
      try await tus(request) {
        let service = try await service(for: request)
        let upload = try await create(request, service)
        return Response(
          status: .created, headers: [.location: "/v1/uploads/\(upload.text)", .cacheControl: "no-store"])
      }
    }
    router.head("/v1/uploads/:id") { request, context in
      try await tus(request) {
        let upload = try await service(for: request).upload(Self.id(context))
        let metadata = "scan \(Self.base64(upload.scan.text)),name \(Self.base64(upload.name))"
        return Response(
          status: .ok,
          headers: [
            .uploadOffset: "\(upload.offset)", .uploadLength: "\(upload.length)", .uploadMetadata: metadata,
            .cacheControl: "no-store",
          ])
      }
    }
    router.patch("/v1/uploads/:id") { request, context in
      try await tus(request) {
        let offset = try await take(request, Self.id(context), service(for: request))
        return Response(status: .noContent, headers: [.uploadOffset: "\(offset)", .cacheControl: "no-store"])
      }
    }
    router.delete("/v1/uploads/:id") { request, context in
      try await tus(request) {
        try await service(for: request).erase(upload: Self.id(context))
        return Response(status: .noContent, headers: [.cacheControl: "no-store"])
      }
    }
  }

  /// What this server can do; asked without a version and without a key.
  private func options() -> Response {
    Response(
      status: .noContent,
      headers: [
        .tusResumable: "1.0.0", .tusVersion: "1.0.0", .tusExtension: "creation,checksum,termination",
        .tusChecksumAlgorithm: "sha1,sha256", .tusMaxSize: "\(scans.live.settings.maximumBytes)",
      ])
  }

  /// Refuses other versions, and puts the version on every reply, problems too.
  private func tus(_ request: Request, _ act: () async throws -> Response) async throws -> Response {
    var response: Response
    do {
      guard request.headers[.tusResumable] == "1.0.0" else {
        throw ServiceError(.unsupportedVersion, "Send \"Tus-Resumable: 1.0.0\", the version that is spoken here.")
      }
      response = try await act()
    } catch let error as ServiceError {
      response = Problems.response(error)
      if error.code == .unsupportedVersion { response.headers[.tusVersion] = "1.0.0" }
    }
    response.headers[.tusResumable] = "1.0.0"
    return response
  }

  private func create(_ request: Request, _ service: ScanService) async throws -> UploadID {
    guard let length = Self.number(request, .uploadLength) else {
      throw ServiceError(.badValue, "\"Upload-Length\" must be the number of bytes to come.")
    }
    let metadata = try Self.metadata(request)
    guard let scan = metadata["scan"], let name = metadata["name"] ?? metadata["filename"] else {
      throw ServiceError(.badValue, "\"Upload-Metadata\" must have the \"scan\" and the file's \"name\" in base64.")
    }
    return try await service.announce(
      ScanService.Announced(name: name, bytes: length, type: metadata["filetype"]), to: scan)
  }

  private func take(_ request: Request, _ id: String, _ service: ScanService) async throws -> Int {
    guard Requests.mediaType(request) == "application/offset+octet-stream" else {
      throw ServiceError(.unsupportedMediaType, "Send the bytes as application/offset+octet-stream.")
    }
    guard let offset = Self.number(request, .uploadOffset) else {
      throw ServiceError(.badValue, "\"Upload-Offset\" must be the number of bytes that came before.")
    }
    let piece = try await service.begin(
      id, at: offset, announced: Self.number(request, .contentLength), checksum: try Self.checksum(request))
    return try await service.nearby {
      do {
        for try await chunk in request.body { try await piece.take(Array(chunk.readableBytesView)) }
      } catch {
        await service.breakOff(piece)
        throw error
      }
      return try await service.end(piece)
    }
  }

  private static func number(_ request: Request, _ name: HTTPField.Name) -> Int? {
    guard let text = request.headers[name], text.utf8.count <= 18, text.utf8.allSatisfy({ (48...57).contains($0) })
    else { return nil }
    return Int(text)
  }

  private static func checksum(_ request: Request) throws -> UploadChecksum? {
    guard let header = request.headers[.uploadChecksum] else { return nil }
    let parts = header.split(separator: " ")
    guard parts.count == 2, let algorithm = UploadChecksum.Algorithm(rawValue: String(parts[0])),
      let bytes = Data(base64Encoded: String(parts[1]))
    else {
      throw ServiceError(.badForm, "\"Upload-Checksum\" must be sha256 or sha1 and the digest in base64.")
    }
    return UploadChecksum(algorithm: algorithm, bytes: Array(bytes))
  }

  /// Keys and values in base64, with commas between (tus 1.0, "Upload-Metadata").
  private static func metadata(_ request: Request) throws -> [String: String] {
    var pairs: [String: String] = [:]
    for pair in (request.headers[.uploadMetadata] ?? "").split(separator: ",").prefix(32) {
      let parts = pair.split(separator: " ", omittingEmptySubsequences: true)
      guard let key = parts.first, parts.count <= 2 else { continue }
      guard let data = Data(base64Encoded: parts.count == 2 ? String(parts[1]) : ""),
        let value = String(validating: data, as: UTF8.self), pairs.updateValue(value, forKey: String(key)) == nil
      else { throw ServiceError(.badForm, "\"Upload-Metadata\" must be keys with texts in base64, each once.") }
    }
    return pairs
  }

  private static func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }
}

extension HTTPField.Name {
  static var tusResumable: HTTPField.Name { HTTPField.Name("Tus-Resumable")! }
  static var tusVersion: HTTPField.Name { HTTPField.Name("Tus-Version")! }
  static var tusExtension: HTTPField.Name { HTTPField.Name("Tus-Extension")! }
  static var tusChecksumAlgorithm: HTTPField.Name { HTTPField.Name("Tus-Checksum-Algorithm")! }
  static var tusMaxSize: HTTPField.Name { HTTPField.Name("Tus-Max-Size")! }
  static var uploadLength: HTTPField.Name { HTTPField.Name("Upload-Length")! }
  static var uploadOffset: HTTPField.Name { HTTPField.Name("Upload-Offset")! }
  static var uploadMetadata: HTTPField.Name { HTTPField.Name("Upload-Metadata")! }
  static var uploadChecksum: HTTPField.Name { HTTPField.Name("Upload-Checksum")! }
}
