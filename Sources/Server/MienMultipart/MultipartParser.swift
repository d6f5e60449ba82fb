/// Streaming parser for multipart forms (`multipart/form-data`, RFC 7578 over RFC 2046) that does not copy content.
///
/// Call `next(in:at:)` for each chunk until it is consumed, then call `finish()`:
///
/// ```swift
/// var place = 0
/// while let event = try parser.next(in: chunk, at: &place) { … }   // for each chunk
/// try parser.finish()                                              // once
/// ```
///
/// The parser buffers at most one part's headers. It requires CR LF as line ends, because a photo contains bare line
/// feeds.
public struct MultipartParser: Sendable {
  /// Event parsed from the input.
  public enum Event: Hashable, Sendable {
    /// Beginning of a part.
    case part(PartHeader)
    /// Content of the part: these bytes of the chunk.
    case content(Range<Int>)
    /// Content of the part from the end of earlier chunks: it resembled a delimiter but is not one.
    case held([UInt8])
    /// End of the part.
    case endOfPart
  }

  private enum State {
    /// Before the first delimiter. Next: afterDelimiter.
    case preamble
    /// On the line of a delimiter, with the bytes read so far. Next: headers, epilogue.
    case afterDelimiter(Tail)
    /// In a part's headers. Next: content.
    case headers
    /// In a part's content. Next: afterDelimiter.
    case content
    /// After the closing delimiter. Next: none.
    case epilogue
    /// After an error, which every later call throws again. Next: none.
    case failed(MultipartError)
  }

  private enum Tail {
    case nothing
    case blanks
    case dash
    case carriageReturn
  }

  private let delimiter: BoundaryScanner
  private let limits: MultipartLimits
  private var state = State.preamble
  /// Number of the delimiter's bytes at the end of the previous chunks. The first delimiter may omit the CR LF before
  /// it, and so may one that directly follows a part's headers (RFC 2046: an empty part).
  private var matched = 2
  /// `true` while `matched` includes a CR LF that is not content.
  private var hasOwnLineEnd = true
  private var headers: [UInt8] = []
  private var parts = 0
  private var idle = 0

  public init(boundary: MultipartBoundary, limits: MultipartLimits = MultipartLimits()) {
    delimiter = BoundaryScanner(boundary)
    self.limits = limits
  }

  /// Returns the next event that begins in `chunk` at or after `place`, and advances `place`; `nil` once the chunk is
  /// consumed.
  ///
  /// - Throws: ``MultipartError``; every later call throws it again.
  public mutating func next(in chunk: Span<UInt8>, at place: inout Int) throws(MultipartError) -> Event? {
    do throws(MultipartError) {
      while place < chunk.count {
        if let event = try step(in: chunk, at: &place) { return event }
      }
      return nil
    } catch {
      state = .failed(error)
      throw error
    }
  }

  /// Ends the input.
  ///
  /// - Throws: ``MultipartError`` with `truncated` if the closing delimiter is missing, or the error of an earlier
  ///   call.
  public func finish() throws(MultipartError) {
    switch state {
    case .epilogue: return
    case .failed(let error): throw error
    default: throw MultipartError(.truncated, part: parts)
    }
  }

  private mutating func step(in chunk: Span<UInt8>, at place: inout Int) throws(MultipartError) -> Event? {
    switch state {
    case .failed(let error): throw error
    case .preamble, .content: return try search(in: chunk, at: &place)
    case .afterDelimiter(let tail):
      try follow(tail, with: chunk[place])
      place += 1
      return nil
    case .headers: return try collect(chunk, at: &place)
    case .epilogue:
      idle += chunk.count - place
      place = chunk.count
      guard idle <= limits.idleBytes else { throw MultipartError(.tooLarge, part: parts) }
      return nil
    }
  }

  // MARK: - Content

  private var isInContent: Bool { if case .content = state { true } else { false } }

  private mutating func search(in chunk: Span<UInt8>, at place: inout Int) throws(MultipartError) -> Event? {
    if matched > 0 {
      while matched < delimiter.bytes.count, place < chunk.count, chunk[place] == delimiter.bytes[matched] {
        matched += 1
        place += 1
      }
      if matched == delimiter.bytes.count { return try found() }
      guard place < chunk.count else { return nil }
      // It was not a delimiter. The held bytes are content, except for a line end that belongs to the headers.
      let held = Array(delimiter.bytes[(hasOwnLineEnd ? 2 : 0)..<matched])
      matched = 0
      hasOwnLineEnd = false
      if isInContent, !held.isEmpty { return .held(held) }
      try rest(held.count)
    }
    let start = place
    switch delimiter.find(in: chunk, from: start) {
    case .whole(let begin):
      place = begin
      // The delimiter itself is consumed in the next step, after the content before it.
      if begin == start {
        place += delimiter.bytes.count
        return try found()
      }
    case .perhaps(let begin):
      matched = chunk.count - begin
      place = chunk.count
      guard begin > start else { return nil }
      try rest(begin - start)
      return isInContent ? .content(start..<begin) : nil
    case .none: place = chunk.count
    }
    try rest(place - start)
    return isInContent ? .content(start..<place) : nil
  }

  /// Counts bytes that are ignored.
  private mutating func rest(_ count: Int) throws(MultipartError) {
    guard !isInContent else { return }
    idle += count
    guard idle <= limits.idleBytes else { throw MultipartError(.tooLarge, part: parts) }
  }

  private mutating func found() throws(MultipartError) -> Event? {
    let ends = isInContent
    matched = 0
    hasOwnLineEnd = false
    idle = 0
    state = .afterDelimiter(.nothing)
    return ends ? .endOfPart : nil
  }

  // MARK: - Delimiter line and headers

  private mutating func follow(_ tail: Tail, with byte: UInt8) throws(MultipartError) {
    switch (tail, byte) {
    case (.nothing, UInt8(ascii: "-")): state = .afterDelimiter(.dash)
    case (.dash, UInt8(ascii: "-")): state = .epilogue
    case (.nothing, UInt8(ascii: " ")), (.nothing, UInt8(ascii: "\t")), (.blanks, UInt8(ascii: " ")),
      (.blanks, UInt8(ascii: "\t")):
      idle += 1
      guard idle <= limits.idleBytes else { throw MultipartError(.tooLarge, part: parts) }
      state = .afterDelimiter(.blanks)
    case (.nothing, 0x0D), (.blanks, 0x0D): state = .afterDelimiter(.carriageReturn)
    case (.carriageReturn, 0x0A):
      guard parts < limits.parts else { throw MultipartError(.tooLarge, part: parts) }
      parts += 1
      headers.removeAll(keepingCapacity: true)
      state = .headers
    default: throw MultipartError(.badDelimiter, part: parts)
    }
  }

  private mutating func collect(_ chunk: Span<UInt8>, at place: inout Int) throws(MultipartError) -> Event? {
    while place < chunk.count {
      let byte = chunk[place]
      place += 1
      headers.append(byte)
      guard headers.count <= limits.headerBytes else { throw MultipartError(.tooLarge, part: parts) }
      guard byte == 0x0A else { continue }
      let count = headers.count
      guard count >= 2, headers[count - 2] == 0x0D else { throw MultipartError(.badHeader, part: parts) }
      guard count == 2 || count >= 4 && headers[count - 3] == 0x0A && headers[count - 4] == 0x0D else { continue }
      let header = try PartHeader(headers, part: parts)
      state = .content
      matched = 2
      hasOwnLineEnd = true
      return .part(header)
    }
    return nil
  }
}

/// Limits on a form apart from the parts' contents, which the caller limits.
public struct MultipartLimits: Hashable, Sendable {
  /// Maximum number of parts.
  public var parts: Int
  /// Maximum size of one part's headers in bytes, including line ends.
  public var headerBytes: Int
  /// Maximum number of ignored bytes before the first delimiter and after the last one, each.
  public var idleBytes: Int

  /// Defaults to 16 parts, 8 KiB of headers each, and 64 KiB around the parts.
  public init(parts: Int = 16, headerBytes: Int = 8192, idleBytes: Int = 65_536) {
    self.parts = parts
    self.headerBytes = headerBytes
    self.idleBytes = idleBytes
  }
}
