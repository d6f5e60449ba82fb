internal import Foundation
internal import MienCore
internal import MienPlatform
internal import NIOHTTP1

/// Paginated listing of the objects and uploads under a prefix.
struct S3Listing {
  /// An object, or an incomplete multipart upload.
  struct Entry: Hashable {
    let key: String
    /// Upload ID; `nil` for a complete object.
    let upload: String?
    /// Time at which it was written or started; `nil` if the store reported no valid time.
    let time: UnixTime?
  }

  let client: S3Client
  let prefix: String

  /// Returns all objects under the prefix.
  func objects() async throws(S3Error) -> [Entry] {
    var found: [Entry] = []
    var mark: String?
    repeat {
      var query = [("list-type", "2"), ("max-keys", "\(client.limits.page)"), ("prefix", prefix)]
      if let mark { query.append(("continuation-token", mark)) }
      let page = try await page(query, "ListBucketResult")
      for item in page.all("Contents") { found.append(try Self.entry(item, since: "LastModified")) }
      let next = try Self.next(page, ["NextContinuationToken"])?.first
      guard next == nil || next != mark else { throw .broken }
      mark = next
    } while mark != nil
    return found
  }

  /// Returns all multipart uploads under the prefix that were neither completed nor aborted.
  func uploads() async throws(S3Error) -> [Entry] {
    var found: [Entry] = []
    var marks: [String]?
    repeat {
      var query = [("uploads", ""), ("max-uploads", "\(client.limits.page)"), ("prefix", prefix)]
      if let marks { query += [("key-marker", marks[0]), ("upload-id-marker", marks[1])] }
      let page = try await page(query, "ListMultipartUploadsResult")
      for item in page.all("Upload") {
        guard item["UploadId"]?.text.isEmpty == false else { throw .broken }
        found.append(try Self.entry(item, since: "Initiated"))
      }
      let next = try Self.next(page, ["NextKeyMarker", "NextUploadIdMarker"])
      guard next == nil || next != marks else { throw .broken }
      marks = next
    } while marks != nil
    return found
  }

  private func page(_ query: [(name: String, value: String)], _ name: String) async throws(S3Error) -> S3XMLNode {
    var request = S3Request(.GET, nil, query: query)
    request.limit = S3XMLNode.maximumBytes
    let reply = try await client.send(request).reply
    guard let page = try? S3XMLNode.read(reply.body), page.name == name else { throw .broken }
    return page
  }

  /// Returns the markers of the next page, or `nil` after the last one.
  private static func next(_ page: S3XMLNode, _ names: [String]) throws(S3Error) -> [String]? {
    guard page["IsTruncated"]?.text == "true" else { return nil }
    let marks = names.compactMap { page[$0]?.text }
    guard marks.count == names.count, marks.contains(where: { !$0.isEmpty }) else { throw .broken }
    return marks
  }

  private static func entry(_ item: S3XMLNode, since: String) throws(S3Error) -> Entry {
    guard let key = item["Key"]?.text, !key.isEmpty else { throw .broken }
    return Entry(key: key, upload: item["UploadId"]?.text, time: item[since].flatMap { time($0.text) })
  }

  private static func time(_ text: String) -> UnixTime? {
    for style in [Date.ISO8601FormatStyle(includingFractionalSeconds: true), Date.ISO8601FormatStyle()] {
      if let date = try? style.parse(text) { return UnixTime(milliseconds: Int64(date.timeIntervalSince1970 * 1000)) }
    }
    return nil
  }
}
