internal import Hummingbird
internal import MienService
internal import NIOCore

/// Cuts off who sends a body drop by drop: it would hold a place for as long as it likes.
///
/// Only the time that the server waits for the client counts, so that a slow disk is nobody's fault.
struct MinimumBodyRate: Sendable {
  /// How long the server waits for any body.
  let grace: Duration
  /// And how much longer for what has come.
  let bytesPerSecond: Int

  /// The same request with a body that ends with ``ServiceError/Code/bodyTooSlow`` when it is too slow.
  func watching(_ request: Request, channel: (any Channel)?) -> Request {
    guard request.headers[.contentLength] != nil || request.headers[.transferEncoding] != nil else { return request }
    return Request(
      head: request.head,
      body: RequestBody(asyncSequence: RateEnforcedBody(body: request.body, pace: self, channel: channel)))
  }

  func allowed(after bytes: Int) -> Duration {
    grace + .milliseconds(Int64(bytes) * 1000 / Int64(max(1, bytesPerSecond)))
  }
}

/// A body whose chunks are waited for only so long.
private struct RateEnforcedBody: AsyncSequence, Sendable {
  let body: RequestBody
  let pace: MinimumBodyRate
  let channel: (any Channel)?

  func makeAsyncIterator() -> Iterator { Iterator(body: body.makeAsyncIterator(), pace: pace, channel: channel) }

  struct Iterator: AsyncIteratorProtocol {
    var body: RequestBody.AsyncIterator
    let pace: MinimumBodyRate
    let channel: (any Channel)?
    var bytes = 0
    var waited = Duration.zero

    mutating func next() async throws -> ByteBuffer? {
      var chunk: ByteBuffer?
      do {
        waited += try await ContinuousClock().measure { chunk = try await body.next() }
      } catch {
        // The connection is gone, or what follows is no body: nobody's mistake that anybody would have to look after.
        throw ServiceError(.badRequest, "The body broke off before its end.")
      }
      bytes += chunk?.readableBytes ?? 0
      guard chunk == nil || waited <= pace.allowed(after: bytes) else {
        // The rest of this body is not waited for either.
        channel?.close(mode: .input, promise: nil)
        throw ServiceError(.bodyTooSlow, "The body came too slowly; send it without pauses, or a smaller one.")
      }
      return chunk
    }
  }
}
