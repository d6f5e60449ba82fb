internal import HTTPTypes
internal import Hummingbird
internal import MienPlatform
internal import MienAPI

extension DeletionResponse {
  init(_ counts: ErasureCounts) {
    self.init(deleted: Dictionary(uniqueKeysWithValues: DeletedDataKind.allCases.map { ($0.rawValue, counts[$0]) }))
  }
}

extension CheckRoutes {
  /// Responds to a deletion: with no content, or with the counts if the request asks for proof (`Prefer:
  /// return=representation`).
  static func erasureReply(_ deleted: ErasureCounts, to request: Request) -> Response {
    guard RequestParsing.prefersRepresentation(request) else {
      return Response(status: .noContent, headers: [.cacheControl: "no-store"])
    }
    var response = JSONResponse.json(DeletionResponse(deleted))
    response.headers[.preferenceApplied] = "return=representation"
    return response
  }
}
