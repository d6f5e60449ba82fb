internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import MienPlatform
internal import MienAccess
internal import MienScanService
internal import NIOCore

/// Routes of resumable uploads: tus 1.0 with the extensions creation, checksum, termination and expiration.
extension ScanRoutes {
  func addUploads(to routes: inout APIRoutes) {
    let capabilities = RoutePolicy(.anyone, origins: .uploads)
    let policy = RoutePolicy(
      [.apiKey, .session, .demo, .token], .scans, origins: .uploads, errors: .tus)
    routes.on(.options, "/v1/uploads", capabilities) { _ in options() }
    routes.on(.options, "/v1/uploads/:id", capabilities) { _ in options() }
    routes.post("/v1/uploads", policy) { call in
      try await tus(call.request) {
        let caller = try await principal(call)
        let upload = try await create(call.request, caller)
        var response = Response(
          status: .created, headers: [.location: "/v1/uploads/\(upload.text)", .cacheControl: "no-store"])
        Self.date(&response, try await caller.service.upload(upload.text))
        return response
      }
    }
    routes.on(.head, "/v1/uploads/:id", policy) { call in
      try await tus(call.request) {
        let caller = try await principal(call)
        let upload = try await caller.service.upload(caller.ownUpload(call.parameter()))
        let metadata = "scan \(Self.base64(upload.scan.text)),name \(Self.base64(upload.name))"
        var response = Response(
          status: .ok,
          headers: [
            .uploadOffset: "\(upload.offset)", .uploadLength: "\(upload.length)", .uploadMetadata: metadata,
            .cacheControl: "no-store",
          ])
        Self.date(&response, upload)
        return response
      }
    }
    routes.patch("/v1/uploads/:id", policy) { call in
      try await tus(call.request) {
        let caller = try await principal(call)
        let id = try await caller.ownUpload(call.parameter())
        let offset = try await take(call.request, id, caller.service)
        var response = Response(
          status: .noContent, headers: [.uploadOffset: "\(offset)", .cacheControl: "no-store"])
        Self.date(&response, try await caller.service.upload(id))
        return response
      }
    }
    routes.delete("/v1/uploads/:id", policy) { call in
      try await tus(call.request) {
        let caller = try await principal(call)
        try await caller.service.delete(upload: caller.ownUpload(call.parameter()))
        return Response(status: .noContent, headers: [.cacheControl: "no-store"])
      }
    }
  }

  /// Sets the time until which the upload can be continued (tus 1.0, "Expiration").
  private static func date(_ response: inout Response, _ upload: ScanService.UploadState) {
    response.headers[.uploadExpires] = upload.expires.map { HTTPDate.text($0) }
  }

  /// Returns the server's tus capabilities, which clients can request without a version or key.
  private func options() -> Response {
    Response(
      status: .noContent,
      headers: [
        .tusResumable: "1.0.0", .tusVersion: "1.0.0", .tusExtension: "creation,checksum,termination,expiration",
        .tusChecksumAlgorithm: "sha1,sha256", .tusMaxSize: "\(scans.live.settings.maximumBytes)",
      ])
  }

  /// Rejects other versions, and adds the version to the response.
  private func tus(_ request: Request, _ act: () async throws -> Response) async throws -> Response {
    guard request.headers[.tusResumable] == "1.0.0" else {
      throw ServiceError(.unsupportedVersion, "Send \"Tus-Resumable: 1.0.0\", the version that this server supports.")
    }
    var response = try await act()
    response.headers[.tusResumable] = "1.0.0"
    return response
  }

  private func create(_ request: Request, _ caller: ScanPrincipal) async throws -> UploadID {
    guard let length = Self.number(request, .uploadLength) else {
      throw ServiceError(.badValue, "\"Upload-Length\" must be the size of the upload in bytes.")
    }
    let metadata = try Self.metadata(request)
    guard let scan = metadata["scan"], let name = metadata["name"] ?? metadata["filename"] else {
      throw ServiceError(.badValue, "\"Upload-Metadata\" must have the \"scan\" and the file's \"name\" in base64.")
    }
    return try await caller.service.announce(
      ScanService.Announced(name: name, bytes: length, type: metadata["filetype"]), to: caller.own(scan),
      maximumBytes: caller.maximumBytes)
  }

  private func take(_ request: Request, _ id: String, _ service: ScanService) async throws -> Int {
    guard RequestParsing.mediaType(request) == "application/offset+octet-stream" else {
      throw ServiceError(.unsupportedMediaType, "Send the bytes as application/offset+octet-stream.")
    }
    guard let offset = Self.number(request, .uploadOffset) else {
      throw ServiceError(.badValue, "\"Upload-Offset\" must be the number of bytes received so far.")
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
    TusHeaders.number(request.headers[name])
  }

  private static func checksum(_ request: Request) throws -> UploadChecksum? {
    try read { () throws(TusHeaders.RejectionReason) in
      guard let told = try TusHeaders.checksum(request.headers[.uploadChecksum]) else { return nil }
      guard let algorithm = UploadChecksum.Algorithm(rawValue: told.algorithm) else { throw TusHeaders.badChecksum }
      return UploadChecksum(algorithm: algorithm, bytes: told.digest)
    }
  }

  private static func metadata(_ request: Request) throws -> [String: String] {
    try read { () throws(TusHeaders.RejectionReason) in try TusHeaders.metadata(request.headers[.uploadMetadata]) }
  }

  private static func read<Value>(_ header: () throws(TusHeaders.RejectionReason) -> Value) throws(ServiceError)
    -> Value
  {
    do {
      return try header()
    } catch {
      throw ServiceError(.badForm, error.reason)
    }
  }

  private static func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }
}

extension HTTPField.Name {
  static let tusResumable = HTTPField.Name("Tus-Resumable")!
  static let tusVersion = HTTPField.Name("Tus-Version")!
  static let tusExtension = HTTPField.Name("Tus-Extension")!
  static let tusChecksumAlgorithm = HTTPField.Name("Tus-Checksum-Algorithm")!
  static let tusMaxSize = HTTPField.Name("Tus-Max-Size")!
  static let uploadExpires = HTTPField.Name("Upload-Expires")!
  static let uploadLength = HTTPField.Name("Upload-Length")!
  static let uploadOffset = HTTPField.Name("Upload-Offset")!
  static let uploadMetadata = HTTPField.Name("Upload-Metadata")!
  static let uploadChecksum = HTTPField.Name("Upload-Checksum")!
}
