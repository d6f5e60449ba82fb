import MienMultipart

/// Part with its complete content, for comparison in tests.
struct ReadPart: Equatable {
  var name: String
  var fileName: String?
  var type: String?
  var content: String

  init(_ name: String, _ content: String, fileName: String? = nil, type: String? = nil) {
    self.name = name
    self.content = content
    self.fileName = fileName
    self.type = type
  }
}

/// Parses a form that arrives in chunks of `size` bytes.
func read(
  _ form: [UInt8], boundary: String = "xYz", by size: Int = .max, limits: MultipartLimits = MultipartLimits()
) throws(MultipartError) -> [ReadPart] {
  guard let boundary = MultipartBoundary(boundary) else { throw MultipartError.example }
  var machine = MultipartParser(boundary: boundary, limits: limits)
  var parts: [ReadPart] = []
  var content: [UInt8] = []
  var start = 0
  while start < form.count {
    let end = size >= form.count - start ? form.count : start + size
    let chunk = ContiguousArray(form[start..<end])
    var place = 0
    while let event = try machine.next(in: chunk.span, at: &place) {
      switch event {
      case .part(let header):
        parts.append(ReadPart(header.name, "", fileName: header.fileName, type: header.contentType))
        content = []
      case .content(let range): content += chunk[range]
      case .held(let bytes): content += bytes
      case .endOfPart: parts[parts.count - 1].content = String(decoding: content, as: UTF8.self)
      }
    }
    start = end
  }
  try machine.finish()
  return parts
}

extension MultipartError {
  /// Error thrown for mistakes in a test itself.
  static var example: MultipartError {
    do throws(MultipartError) {
      _ = try MultipartBoundary(contentType: "")
      fatalError("an empty type has no boundary")
    } catch {
      return error
    }
  }
}

/// Joins the lines of a form with CR LF, without one after the last line.
func lines(_ lines: String...) -> [UInt8] { Array(lines.joined(separator: "\r\n").utf8) }
