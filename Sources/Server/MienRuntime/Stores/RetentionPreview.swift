internal import Foundation
internal import MienFiles
package import MienPlatform

/// Records of one kind that a retention period would delete.
package struct RetentionPreview: Encodable {
  package let kind: String
  /// Retention time in days; 0 for no limit.
  package let days: Int
  package let kept: Int
  package let oldest: String?
  package let due: Int
  package let dueAhead: Int

  private enum CodingKeys: String, CodingKey {
    case kind, days, kept, oldest, due
    case dueAhead = "due_ahead"
  }

  /// Counts the records of a realm.
  ///
  /// - Parameters:
  ///   - periods: retention times in days; 0 for no limit.
  ///   - ahead: number of days to look ahead.
  package static func make(
    of location: StoreLocation, _ realm: Realm, periods: [(kind: RetentionRule, days: Int)], ahead: Int
  ) async throws -> [RetentionPreview] {
    guard location.isExternal || FileManager.default.fileExists(atPath: location.database(realm)) else {
      throw OperationError("\(location.folder(realm)) has no database: there is nothing to count.")
    }
    let database = try await location.open(realm)
    let now = SystemClock().timeOfDay().milliseconds
    var previews: [RetentionPreview] = []
    for (kind, days) in periods {
      func expired(in later: Int) async throws -> ExpiredRecordCount {
        let end = days == 0 ? .min : now + Int64(later - days) * 86_400_000
        return try await database.aged(kind, before: UnixTime(milliseconds: end))
      }
      let (due, dueAhead) = (try await expired(in: 0), try await expired(in: ahead))
      previews.append(
        RetentionPreview(
          kind: kind.rawValue, days: days, kept: due.count,
          oldest: due.oldest.map { Date(timeIntervalSince1970: Double($0.milliseconds) / 1000).formatted(.iso8601) },
          due: due.before, dueAhead: dueAhead.before))
    }
    return previews
  }
}
