internal import MienAvatars
internal import MienCore
internal import MienWorkers

extension MessageService {
  /// Counts that somebody asks something.
  ///
  /// - Parameter caller: one word for everybody behind an address.
  /// - Throws: ``ServiceError`` with `too-many-requests` when it is too often.
  public func admit(_ asking: MessageRateClass, of caller: String) throws {
    guard let wait = buckets[asking]?.take(for: caller, at: clock.now()) else { return }
    let seconds = max(1, Int(wait.inSeconds.rounded(.up)))
    throw ServiceError(
      .tooManyRequests, "Too many requests came from this address. Try again in \(seconds) s.", retryAfter: seconds)
  }

  /// Reads the number in a GIF, PNG or JPEG. It is not looked up: it takes no view, and does not tell whether there is
  /// such a message.
  public func number(in bytes: [UInt8]) async throws -> MessageIDMatch {
    let images = images
    return try await readingImage { MessageIDMatch(try images.number(bytes)) }
  }

  /// Refuses who does not show the sender's receipt, before a picture of theirs is read.
  ///
  /// - Throws: ``ServiceError`` with `unauthorised` or `notFound`.
  public func expectReceipt(_ receipt: String?, of number: String) async throws {
    _ = try await message(number, of: receipt)
  }

  /// A message's GIF with an avatar of the sender's own, which is not kept.
  ///
  /// - Parameter sheet: a PNG of 768 × 512 with six sprites (Documentation/Formats/MessageGIF.md).
  public func gif(of number: String, receipt: String?, sheet: [UInt8]) async throws -> [UInt8] {
    let message = try await message(number, of: receipt)
    let sequence = try shownSequence(of: message)
    let images = images
    return try await readingImage { Self.gif(of: message, sequence, try images.sheet(sheet)) }
  }

  /// Pictures take a while: not many at once, and not on the actor.
  private func readingImage<Value: Sendable>(_ work: @Sendable @escaping () throws -> Value) async throws -> Value {
    guard imagesUnderWay < settings.maximumImages else {
      throw ServiceError(.busy, "\(imagesUnderWay) pictures are being read already. Try again shortly.")
    }
    imagesUnderWay += 1
    defer { imagesUnderWay -= 1 }
    return try await WorkerPool.shared.run(work)
  }

  /// The buckets of a rate; empty when there is none.
  static func buckets(_ rate: Int) -> [MessageRateClass: TokenBucketRateLimiter<String>] {
    guard rate > 0 else { return [:] }
    return [
      .lock: TokenBucketRateLimiter(burst: min(rate, 120), perHour: rate),
      .look: TokenBucketRateLimiter(burst: min(rate * 20, 1200), perHour: rate * 20),
      .image: TokenBucketRateLimiter(burst: min(rate, 60), perHour: rate),
    ]
  }
}
