internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import MienCore
internal import MienPlatform
internal import MienChecks
internal import MienAPI

/// Responses and errors in the format of AWS JSON 1.1.
enum AWSResponses {
  static func json(_ value: some Encodable, status: HTTPResponse.Status = .ok) -> Response {
    var response = JSONResponse.json(value, status: status, type: "application/x-amz-json-1.1")
    response.headers[.amznRequestID] = UUID().uuidString.lowercased()
    return response
  }

  static func error(_ fault: AWSError) -> Response {
    var response = json(
      AWSErrorResponse(type: fault.kind.name, message: fault.message), status: .init(code: fault.kind.status))
    response.headers[.amznErrorType] = fault.kind.name
    return response
  }

  /// Maps this server's errors to errors of the AWS-compatible API.
  static func fault(_ error: any Error) -> AWSError {
    switch error {
    case let error as AWSError: error
    case let error as ServiceError where error.code == .bodyTooLarge: AWSError(.requestTooLarge, error.reason)
    case let error as ServiceError where error.code == .busy || error.code == .tooManyRequests:
      AWSError(.throttling, error.reason)
    case let error as ServiceError where error.code == .notFound:
      AWSError(.sessionNotFound, "There is no Face Liveness session with this id on this server.")
    default: AWSError(.internalServerError, "The server could not do this now; its log names the kind of error.")
    }
  }

  static func decode<Value: Decodable>(_: Value.Type, _ body: [UInt8]) throws -> Value {
    do {
      return try JSONDecoder().decode(Value.self, from: body.isEmpty ? Data("{}".utf8) : Data(body))
    } catch let error as UnknownKeyError {
      throw AWSError(
        .validation, "There is no member \(error.key) here; the members are \(error.known.joined(separator: ", ")).")
    } catch let error as DecodingError {
      throw AWSError(.serialization, describe(error))
    }
  }

  private static func describe(_ error: DecodingError) -> String {
    switch error {
    case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context):
      "A member has the wrong type or is missing: \(context.codingPath.map(\.stringValue).joined(separator: "."))"
    default: "The body is not valid JSON."
    }
  }

  static func image(_ image: StoredImage) -> GetFaceLivenessSessionResultsResponse.AuditImage {
    let box = image.box
    return .init(
      boundingBox: .init(left: box.x, top: box.y, width: box.width, height: box.height),
      bytes: Data(image.bytes).base64EncodedString())
  }
}
