internal import Hummingbird
internal import MienPlatform
internal import NIOCore

/// Closes connections whose request body arrives below a minimum rate (slow-loris protection).
///
/// Only time spent waiting for the client counts, not the time of a slow disk.
struct MinimumBodyRate: Sendable {
  /// Base time allowed for any body.
  let grace: Duration
  /// Rate that determines the additional time for the received bytes.
  let bytesPerSecond: Int

  /// Returns the request with a body that throws ``ServiceError/Code/bodyTooSlow`` if it arrives too slowly.
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

/// Request body with a limit on the time spent waiting for its chunks.
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
        // The connection was closed or the body is malformed: a client error that needs no attention from the operator.
        throw ServiceError(.badRequest, "The body ended early.")
      }
      bytes += chunk?.readableBytes ?? 0
      guard chunk == nil || waited <= pace.allowed(after: bytes) else {
        // Stops reading the rest of the body.
        channel?.close(mode: .input, promise: nil)
        throw ServiceError(.bodyTooSlow, "The body arrived too slowly. Send it without pauses, or send a smaller one.")
      }
      return chunk
    }
  }
}
