import MienMultipart

private let boundary = "xYz"

func seeds() -> [[UInt8]] {
  let form =
    "preamble\r\n--xYz\r\nContent-Disposition: form-data; name=\"photo\"; filename=\"a\\\"b.jpg\"; filename*=UTF-8''%41\r\n"
    + "Content-Type: image/jpeg\r\n\r\n\u{1}\r\n--xY\r\n-\r\n--xYz \t\r\ncontent-disposition: form-data;name=a\r\n\r\n"
    + "\r\n--xYz--\r\nepilogue"
  let types = [
    "multipart/form-data; boundary=\"a b\"; charset=utf-8", "multipart/form-data;boundary=----WebKitFormBoundary7MA4",
  ]
  return [Array(form.utf8), Array("--xYz--".utf8)] + types.map { Array($0.utf8) }
}

/// Parses a form in chunks of `size` bytes and assembles its events.
private func read(_ bytes: ContiguousArray<UInt8>, by size: Int) -> Result<[[UInt8]], MultipartError> {
  guard let boundary = MultipartBoundary(boundary) else { fatalError("the boundary is one") }
  let limits = MultipartLimits(parts: 5, headerBytes: 300, idleBytes: 1000)
  var machine = MultipartParser(boundary: boundary, limits: limits)
  var parts: [[UInt8]] = []
  var isOpen = false
  var start = 0
  do throws(MultipartError) {
    while start < bytes.count {
      let end = min(start + size, bytes.count)
      let chunk = bytes.span.extracting(start..<end)
      var place = 0
      while let event = try machine.next(in: chunk, at: &place) {
        promise(place <= chunk.count, "the place stays in the chunk")
        switch event {
        case .part(let header):
          promise(!isOpen, "a part begins after the last one ended")
          promise(header.mediaType == header.mediaType.lowercased(), "a media type is in lower case")
          isOpen = true
          parts.append(Array(header.name.utf8) + [0])
        case .content(let range):
          promise(isOpen && !range.isEmpty && range.upperBound <= chunk.count, "content is of the chunk")
          for index in range { parts[parts.count - 1].append(chunk[index]) }
        case .held(let held):
          let most = boundary.bytes.count + 4
          promise(isOpen && !held.isEmpty && held.count < most, "what is held is shorter than a delimiter")
          parts[parts.count - 1] += held
        case .endOfPart:
          promise(isOpen, "what ends has begun")
          isOpen = false
        }
      }
      promise(place == chunk.count, "a chunk is used up")
      start = end
    }
    try machine.finish()
  } catch {
    promise(!error.description.isEmpty, "a refusal has words")
    return .failure(error)
  }
  promise(!isOpen && parts.count <= limits.parts, "all parts have ended, and they keep the limit")
  return .success(parts)
}

func fuzz(_ bytes: [UInt8]) {
  let form = ContiguousArray(bytes)
  let whole = read(form, by: .max / 2)
  for size in [1, 2, 7, 64] { promise(read(form, by: size) == whole, "how a form is cut changes nothing") }
  let type = String(decoding: bytes, as: UTF8.self)
  do throws(MultipartError) {
    let boundary = try MultipartBoundary(contentType: type)
    promise(MultipartBoundary(boundary.description) == boundary, "a boundary is read as it is written")
  } catch {
    promise(error.code == .noBoundary, "a type is refused for its boundary")
  }
}
