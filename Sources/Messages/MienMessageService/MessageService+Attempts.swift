internal import MienAvatars
internal import MienCore
internal import MienPlatform
internal import MienWorkers

extension MessageService {
  /// Counts a request against the rate limit.
  ///
  /// - Parameter caller: one key for all clients behind an address.
  /// - Throws: ``ServiceError`` with `too-many-requests` if the limit is exceeded.
  public func admit(_ request: MessageRateClass, of caller: String) throws {
    guard let wait = buckets[request]?.take(for: caller, at: clock.now()) else { return }
    let seconds = max(1, Int(wait.inSeconds.rounded(.up)))
    throw ServiceError(
      .tooManyRequests, "Too many requests came from this address. Try again in \(seconds) s.", retryAfter: seconds)
  }

  /// Reads the message ID in a GIF, PNG or JPEG. The ID is not looked up: this counts no view, and does not reveal
  /// whether there is such a message.
  public func number(in bytes: [UInt8]) async throws -> MessageIDMatch {
    let images = images
    return try await readingImage { MessageIDMatch(try images.number(in: bytes)) }
  }

  /// Throws unless the sender's receipt is given. Called before the sender's image is read.
  ///
  /// - Throws: ``ServiceError`` with `unauthorized` or `notFound`.
  public func expectReceipt(_ receipt: String?, of number: String) async throws {
    _ = try await message(number, of: receipt)
  }

  /// Returns a message's GIF with the sender's own avatar, which is not stored.
  ///
  /// - Parameter sheet: a PNG of 768 × 512 pixels with six sprites (Documentation/reference/formats/MessageGIF.md).
  public func gif(
    of number: String, receipt: String?, sheet: [UInt8], style: String? = nil, labelSeconds: Double? = nil
  ) async throws -> [UInt8] {
    let options = try Self.gifOptions(style, labelSeconds)
    let message = try await message(number, of: receipt)
    let sequence = try shownSequence(of: message)
    let (images, signing) = (images, signing)
    return try await readingImage {
      let gif = Self.gif(of: message, sequence, try images.sheet(of: sheet), options)
      return signing?(gif) ?? gif
    }
  }

  /// Runs slow work on images outside the actor, with limited concurrency.
  private func readingImage<Value: Sendable>(_ work: @Sendable @escaping () throws -> Value) async throws -> Value {
    guard imagesUnderWay < settings.maximumImages else {
      throw ServiceError(.busy, "\(imagesUnderWay) images are being read already. Try again shortly.")
    }
    imagesUnderWay += 1
    defer { imagesUnderWay -= 1 }
    return try await WorkerPool.shared.run(work)
  }

  /// Returns the rate limiters for a rate; empty if there is no limit.
  static func buckets(_ rate: Int) -> [MessageRateClass: TokenBucketRateLimiter<String>] {
    guard rate > 0 else { return [:] }
    return [
      .lock: TokenBucketRateLimiter(burst: min(rate, 120), perHour: rate),
      .look: TokenBucketRateLimiter(burst: min(rate * 20, 1200), perHour: rate * 20),
      .image: TokenBucketRateLimiter(burst: min(rate, 60), perHour: rate),
    ]
  }
}

/// The result of looking for a message ID in an image.
public struct MessageIDMatch: Hashable, Sendable {
  public enum Place: String, Hashable, Sendable, CaseIterable {
    /// Found in the comment of a GIF.
    case comment
    /// Found in the pixels.
    case pixels
    /// Found, but the check characters do not match.
    case damaged
    /// Not found.
    case nothing
  }

  public let found: Place
  /// Message ID as displayed; `nil` unless it was read completely.
  public let text: String?

  init(_ reading: MessageIDDetector.Reading) {
    text = reading.code?.text
    found =
      switch reading {
      case .comment: .comment
      case .pixels: .pixels
      case .damaged: .damaged
      case .nothing: .nothing
      }
  }
}

/// Kinds of requests for messages, each with its own rate limit. Requests with an API key are not counted.
public enum MessageRateClass: Hashable, Sendable, CaseIterable {
  /// Locking a message, or recording a sequence for one.
  case lock
  /// Viewing a message's state, fetching its GIF, beginning to open it, or deleting it.
  case look
  /// Reading a message ID in an image, or drawing a GIF with the sender's own sprite sheet.
  case image
}
