internal import MienAvatars
internal import MienModel
internal import MienWorkers

extension MessageService {
  /// Counts that somebody asks something.
  ///
  /// - Parameter caller: one word for everybody behind an address.
  /// - Throws: ``ServiceError`` with `too-many-requests` when it is too often.
  public func admit(_ asking: MessageAsking, of caller: String) throws {
    guard let wait = buckets[asking]?.take(for: caller, at: clock.now()) else { return }
    let seconds = max(1, Int(wait.inSeconds.rounded(.up)))
    throw ServiceError(
      .tooManyRequests, "Too many requests came from this address. Try again in \(seconds) s.", retryAfter: seconds)
  }

  /// Reads the number in a GIF, PNG or JPEG. It is not looked up: it takes no view, and does not tell whether there is
  /// such a message.
  public func number(in bytes: [UInt8]) async throws -> FoundNumber {
    let pictures = pictures
    return try await readingPicture { FoundNumber(try pictures.number(bytes)) }
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
    let pictures = pictures
    return try await readingPicture { Self.gif(of: message, sequence, try pictures.sheet(sheet)) }
  }

  /// Pictures take a while: not many at once, and not on the actor.
  private func readingPicture<Value: Sendable>(_ work: @Sendable @escaping () throws -> Value) async throws -> Value {
    guard picturesUnderWay < settings.maximumPictures else {
      throw ServiceError(.busy, "\(picturesUnderWay) pictures are being read already. Try again shortly.")
    }
    picturesUnderWay += 1
    defer { picturesUnderWay -= 1 }
    return try await WorkerPool.shared.run(work)
  }

  /// The buckets of a rate; empty when there is none.
  static func buckets(_ rate: Int) -> [MessageAsking: TokenBuckets<String>] {
    guard rate > 0 else { return [:] }
    return [
      .lock: TokenBuckets(burst: min(rate, 120), perHour: rate),
      .look: TokenBuckets(burst: min(rate * 20, 1200), perHour: rate * 20),
      .picture: TokenBuckets(burst: min(rate, 60), perHour: rate),
    ]
  }
}
