internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import MienAccess
internal import MienAPI
internal import MienChecks
internal import MienCore
internal import MienPlatform

/// Routes of the Youverify-compatible API: the two requests of a partner's backend before its app starts the liveness
/// SDK.
struct YouverifyRoutes: Sendable {
  let realms: Realms
  let settings: ServerSettings

  func add(to routes: inout APIRoutes) {
    let policy = RoutePolicy(
      [.apiKey, .tokenHeader], .checks, body: settings.maximumJSONBytes, origins: .none, errors: .youverify)
    routes.post("/v2/api/identity/sdk/session/generate", policy) { call in
      let members = try await read(call, required: ["publicMerchantID"], optional: ["metadata", "tasks"])
      let session = try await realms[call.realm].checks.createSession(
        reference: Self.note(members["metadata"]), tasks: Self.tasks(members["tasks"]))
      return JSONResponse.json(YouverifySessionResponse(sessionID: session.id.text))
    }
    routes.post("/v2/api/identity/sdk/liveness/token", policy) { call in
      let members = try await read(call, required: ["publicMerchantID", "deviceCorrelationId"], optional: [])
      guard let id = (members["deviceCorrelationId"] as? String).flatMap({ CheckID($0) }) else {
        throw ServiceError(.notFound, "")
      }
      do {
        let token = try await realms[call.realm].checks.token(of: id).token
        return JSONResponse.json(YouverifyTokenResponse(authToken: token))
      } catch let error as ServiceError where error.code == .forbidden {
        // A check that was not created as a session of this API.
        throw ServiceError(.notFound, error.reason)
      }
    }
  }

  /// Returns the members of a JSON object after validating the required ones as text and rejecting unknown ones.
  private func read(_ call: RouteCall, required: [String], optional: [String]) async throws -> [String: Any] {
    let bytes = try await call.body()
    try call.expect("application/json")
    guard let members = (try? JSONSerialization.jsonObject(with: Data(bytes))) as? [String: Any] else {
      throw ServiceError(.badJSON, "The body is not a JSON object.")
    }
    let known = required + optional
    if let stray = members.keys.first(where: { !known.contains($0) }) {
      throw ServiceError(
        .unknownKey, "There is no key \"\(stray.prefix(64))\" here; the keys are \(known.joined(separator: ", ")).")
    }
    for name in required {
      guard let text = members[name] as? String, (1...128).contains(text.utf8.count) else {
        throw ServiceError(.badValue, "\"\(name)\" must be a text of 1 to 128 bytes.")
      }
    }
    return members
  }

  /// Returns the tasks, in the format of this server or with the vendor's names.
  private static func tasks(_ value: Any?) throws -> [TaskOptions]? {
    guard let value else { return nil }
    guard let list = value as? [[String: Any]], !list.isEmpty else {
      throw ServiceError(.badValue, "\"tasks\" must be a list of tasks, with at least one.")
    }
    do {
      let bytes = try JSONSerialization.data(withJSONObject: list.map(VendorTask.translated))
      return try JSONDecoder().decode([TaskRequest].self, from: bytes).map(TaskOptions.init)
    } catch let error as UnknownKeyError {
      throw ServiceError(.unknownKey, "tasks: there is no key \"\(error.key)\".")
    } catch is DecodingError {
      throw ServiceError(.badValue, "tasks: a member has the wrong type or is missing.")
    }
  }

  /// Returns the metadata as JSON text, which the check stores as its reference.
  private static func note(_ metadata: Any?) throws -> String? {
    guard let metadata else { return nil }
    guard let object = metadata as? [String: Any] else {
      throw ServiceError(.badValue, "\"metadata\" must be an object.")
    }
    guard !object.isEmpty else { return nil }
    let options: JSONSerialization.WritingOptions = [.sortedKeys, .withoutEscapingSlashes]
    guard let bytes = try? JSONSerialization.data(withJSONObject: object, options: options) else {
      throw ServiceError(.badValue, "\"metadata\" cannot be stored.")
    }
    let text = String(decoding: bytes, as: UTF8.self)
    guard text.unicodeScalars.count <= 128 else {
      throw ServiceError(.badValue, "\"metadata\" is longer than 128 characters of JSON.")
    }
    return text
  }
}

extension HTTPField.Name {
  static let token = HTTPField.Name("Token")!
}

/// Translates tasks with the vendor's names: `id` for `kind`, `completeTheCircle` for `complete-the-circle`, `maxBlinks` for
/// `max_blinks`.
enum VendorTask {
  static func translated(_ task: [String: Any]) -> [String: Any] {
    var result: [String: Any] = [:]
    for (key, value) in task {
      switch key {
      case "id", "kind": result["kind"] = (value as? String).map { separated($0, by: "-") } ?? value
      case "questions": result[key] = (value as? [[String: Any]]).map { $0.map(snakeCase) } ?? value
      default: result[separated(key, by: "_")] = value
      }
    }
    return result
  }

  private static func snakeCase(_ members: [String: Any]) -> [String: Any] {
    Dictionary(members.map { (separated($0.key, by: "_"), $0.value) }, uniquingKeysWith: { first, _ in first })
  }

  /// Writes a name in lower case with a separator before each capital letter.
  private static func separated(_ name: String, by separator: String) -> String {
    name.reduce(into: "") { $0 += $1.isUppercase ? separator + $1.lowercased() : String($1) }
  }
}
