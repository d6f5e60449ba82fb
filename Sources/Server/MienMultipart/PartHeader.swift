/// Headers of a part.
public struct PartHeader: Hashable, Sendable {
  /// Field name; may be empty.
  public let name: String
  /// File name on the sender's machine, if sent. It is untrusted text and must not be used as a path.
  public let fileName: String?
  /// Media type with its parameters as received, without case conversion; `nil` if there is none.
  public let contentType: String?

  /// Media type without parameters, in lowercase; `text/plain` if there is none (RFC 7578, section 4.4).
  public var mediaType: String {
    guard let contentType else { return "text/plain" }
    return HeaderValue(contentType)?.token ?? "application/octet-stream"
  }

  /// Parses the headers of part `number`, which end with an empty line.
  init(_ block: [UInt8], part number: Int) throws(MultipartError) {
    var (disposition, type): (HeaderValue?, String?) = (nil, nil)
    for line in try Self.lines(of: block, part: number) {
      let value = line.value
      switch line.name {
      case "content-disposition":
        guard disposition == nil, let read = HeaderValue(value) else { throw MultipartError(.badHeader, part: number) }
        disposition = read
      case "content-type":
        guard type == nil else { throw MultipartError(.badHeader, part: number) }
        type = value
      case "content-transfer-encoding":
        guard ["7bit", "8bit", "binary"].contains(value.lowercased()) else {
          throw MultipartError(.transferEncoding, part: number)
        }
      default: break
      }
    }
    guard let disposition, disposition.token == "form-data", let name = disposition.only("name") else {
      throw MultipartError(.noName, part: number)
    }
    self.name = name
    contentType = type
    if disposition.has("filename*") {
      guard let text = disposition.only("filename*") else { throw MultipartError(.badHeader, part: number) }
      fileName = Self.extended(text) ?? disposition.only("filename")
    } else {
      guard !disposition.has("filename") || disposition.only("filename") != nil else {
        throw MultipartError(.badHeader, part: number)
      }
      fileName = disposition.only("filename")
    }
  }

  private static func lines(
    of block: [UInt8], part number: Int
  ) throws(MultipartError) -> [(name: String, value: String)] {
    var lines: [(name: String, value: String)] = []
    var start = 0
    while start < block.count {
      // The parser passes complete lines only.
      guard let end = block[start...].firstIndex(of: UInt8(ascii: "\r")), end + 1 < block.count,
        block[end + 1] == UInt8(ascii: "\n")
      else { throw MultipartError(.badHeader, part: number) }
      let line = block[start..<end]
      start = end + 2
      if line.isEmpty { break }
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex,
        line[..<colon].allSatisfy({ $0 > 0x20 && $0 < 0x7F }),
        line[colon...].allSatisfy({ $0 == 9 || $0 >= 0x20 && $0 != 0x7F }),
        let value = String(validating: line[(colon + 1)...], as: UTF8.self)
      else { throw MultipartError(.badHeader, part: number) }
      lines.append((String(decoding: line[..<colon], as: UTF8.self).lowercased(), trimmed(value)))
    }
    return lines
  }

  private static func trimmed(_ text: String) -> String {
    let blank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
    guard let first = text.firstIndex(where: { !blank($0) }), let last = text.lastIndex(where: { !blank($0) }) else {
      return ""
    }
    return String(text[first...last])
  }

  /// Decodes a value of RFC 8187, `UTF-8''na%C3%AFve.jpg`; returns `nil` for other formats or character sets.
  private static func extended(_ text: String) -> String? {
    let parts = text.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].lowercased() == "utf-8" else { return nil }
    var (bytes, rest) = ([UInt8](), Array(parts[2].utf8)[...])
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else { return nil }
      bytes.append(high << 4 | low)
    }
    return String(validating: bytes, as: UTF8.self)
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
