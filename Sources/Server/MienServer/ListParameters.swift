internal import Foundation
internal import Hummingbird
internal import MienCore
internal import MienPlatform

/// Query parameters of lists. An empty value counts as a missing one.
enum ListParameters {
  static func text(_ value: Substring?) -> String? {
    guard let value, !value.isEmpty else { return nil }
    return String(value.prefix(200))
  }

  static func cursor(_ value: Substring?) throws -> PageCursor? {
    guard let text = text(value) else { return nil }
    guard let cursor = PageCursor(text: text) else {
      throw ServiceError(.badValue, "\"after\" must be the \"next\" of the previous page.")
    }
    return cursor
  }

  static func limit(_ value: Substring?) throws -> Int {
    guard let text = text(value) else { return 50 }
    guard let limit = Int(text), (1...200).contains(limit) else {
      throw ServiceError(.badValue, "\"limit\" must be 1 to 200.")
    }
    return limit
  }

  /// Returns the text of a parameter that is compared with stored text, which never contains U+0000.
  static func exactText(_ value: Substring?, _ name: String) throws -> String? {
    guard let text = text(value) else { return nil }
    guard !text.utf8.contains(0) else { throw ServiceError(.badValue, "\"\(name)\" must not contain U+0000.") }
    return text
  }

  /// Returns the case of an enumeration; throws with the list of its values if there is none of this value.
  static func value<Value: RawRepresentable<String> & CaseIterable>(
    _ value: Substring?, _ name: String
  ) throws -> Value? {
    guard let text = text(value) else { return nil }
    guard let value = Value(rawValue: text) else {
      let values = Value.allCases.map(\.rawValue).joined(separator: ", ")
      throw ServiceError(.badValue, "\"\(name)\" must be one of \(values).")
    }
    return value
  }

  /// Returns the page that `created_after`, `created_before`, `after` and `limit` ask for.
  static func page(_ request: Request) throws -> PageRequest {
    let asked = request.uri.queryParameters
    var page = PageRequest()
    page.from = try time(asked["created_after"], "created_after")
    page.until = try time(asked["created_before"], "created_before")
    page.after = try cursor(asked["after"])
    page.limit = try limit(asked["limit"])
    return page
  }

  private static func time(_ value: Substring?, _ name: String) throws -> UnixTime? {
    guard let text = text(value) else { return nil }
    guard text.utf8.count <= 40, let milliseconds = ISO8601.milliseconds(of: text) else {
      throw ServiceError(.badValue, "\"\(name)\" must be a time such as 2026-11-22T14:32:03Z.")
    }
    return UnixTime(milliseconds: milliseconds)
  }
}
