import HTTPTypes
import Testing

@testable import MienServer

/// Which requests may keep the thread of their connection.
@Suite struct `Short requests` {
  @Test(arguments: [
    (HTTPRequest.Method.get, "/v1/checks/chk_1", true), (.get, "/v1/checks/chk_1/", false),
    (.get, "/v1/checks/chk_1/images/0", false), (.get, "/v1/checks/chk_1/clip", false), (.get, "/v1/checks/", false),
    (.get, "/v1/checks", false), (.get, "/v1/checksum", false), (.delete, "/v1/checks/chk_1", false),
    (.head, "/v1/checks/chk_1", false), (.post, "/v1/checks", true), (.post, "/v1/checks/", false),
    (.post, "/v1/checks/chk_1/frames", false), (.post, "/v1/demo/checks", false), (.post, "/v1/captures", false),
    (.get, "/health/live", true), (.get, "/health/ready", false), (.get, "/metrics", false), (.get, "/", false),
    (.get, "", false),
  ])
  func `are those that look up or keep one row`(method: HTTPRequest.Method, path: String, isShort: Bool) {
    #expect(ShortRequests.has(method, path) == isShort)
  }
}
