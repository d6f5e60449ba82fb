internal import MienScanFormat

/// Parses the text files of a COLMAP model. Lines with the points of an image may be longer than a megabyte, so only
/// their beginnings are parsed.
enum COLMAPText {
  /// Parses `CAMERA_ID MODEL WIDTH HEIGHT PARAMS…`.
  static func cameras(_ bytes: [UInt8], _ file: String) throws(ScanError) -> [Int64: COLMAPModel.Camera] {
    var cameras: [Int64: COLMAPModel.Camera] = [:]
    for line in lines(bytes) where !isComment(line) {
      let words = words(line, 32)
      guard words.count >= 5, let number = Int64(words[0]), let width = Double(words[2]),
        let height = Double(words[3])
      else { continue }
      guard cameras.count < COLMAPModel.mostImages else { throw ScanError(.tooMuch, "\(file) has too many cameras") }
      let parameters = words[4...].map { Double($0) ?? .nan }
      cameras[number] = COLMAPModel.Camera(
        model: String(words[1]), width: width, height: height, parameters: parameters)
    }
    guard !cameras.isEmpty else { throw ScanError(.damaged, "\(file) has no cameras") }
    return cameras
  }

  /// Parses two lines for each image: `IMAGE_ID QW QX QY QZ TX TY TZ CAMERA_ID NAME`, and the points as `X Y POINT3D_ID`.
  /// The second line may be empty; some programs leave it out.
  static func images(_ bytes: [UInt8], _ file: String) throws(ScanError) -> [COLMAPModel.Image] {
    var images: [COLMAPModel.Image] = []
    for line in lines(bytes) where !isComment(line) {
      guard let image = image(line) else {
        if !images.isEmpty, COLMAPModel.isObserved(images.count - 1) {
          images[images.count - 1].observations = observations(line)
        }
        continue
      }
      guard images.count < COLMAPModel.mostImages else { throw ScanError(.tooMuch, "\(file) has too many images") }
      images.append(image)
    }
    guard !images.isEmpty else { throw ScanError(.damaged, "\(file) has no images") }
    return images
  }

  private static func image(_ line: ArraySlice<UInt8>) -> COLMAPModel.Image? {
    let words = words(line, 10)
    guard words.count == 10, Int64(words[0]) != nil, let camera = Int64(words[8]) else { return nil }
    // Lines of points have only numbers, in threes.
    if Double(words[9]) != nil, COLMAPText.words(line, 12).count > 10 { return nil }
    let numbers = words[1..<8].compactMap { Double($0) }
    guard numbers.count == 7 else { return nil }
    // The name is the rest of the line, which may contain spaces.
    let name = String(decoding: rest(of: line, after: 9), as: UTF8.self)
    return COLMAPModel.Image(
      name: name, camera: camera, rotation: Array(numbers[..<4]), translation: Array(numbers[4...]))
  }

  private static func observations(_ line: ArraySlice<UInt8>) -> [COLMAPModel.Observation] {
    let words = words(line, 3 * COLMAPModel.mostObservations)
    return stride(from: 0, to: words.count - 2, by: 3).compactMap { place in
      guard let u = Double(words[place]), let v = Double(words[place + 1]), let point = Int64(words[place + 2]),
        point >= 0
      else { return nil }
      return COLMAPModel.Observation(u: u, v: v, point: point)
    }
  }

  /// Parses `POINT3D_ID X Y Z …` of some points.
  static func points(_ bytes: [UInt8], _ wanted: Set<Int64>) -> [Int64: SIMD3<Double>] {
    var points: [Int64: SIMD3<Double>] = [:]
    guard !wanted.isEmpty else { return points }
    for line in lines(bytes) where !isComment(line) {
      let words = words(line, 4)
      guard words.count == 4, let number = Int64(words[0]), wanted.contains(number), let x = Double(words[1]),
        let y = Double(words[2]), let z = Double(words[3])
      else { continue }
      points[number] = SIMD3(x, y, z)
    }
    return points
  }

  private static let newline = UInt8(ascii: "\n")

  private static func lines(_ bytes: [UInt8]) -> some Sequence<ArraySlice<UInt8>> {
    sequence(state: bytes[...]) { rest -> ArraySlice<UInt8>? in
      guard !rest.isEmpty else { return nil }
      let line = rest.prefix { $0 != newline }
      rest = rest[(line.endIndex < rest.endIndex ? line.endIndex + 1 : line.endIndex)...]
      return line
    }
  }

  private static func isComment(_ line: ArraySlice<UInt8>) -> Bool {
    line.first { !isSpace($0) } == UInt8(ascii: "#")
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }

  /// Returns at most `most` words of a line.
  private static func words(_ line: ArraySlice<UInt8>, _ most: Int) -> [Substring] {
    var words: [Substring] = []
    var rest = line.drop(while: isSpace)
    while !rest.isEmpty, words.count < most {
      let word = rest.prefix { !isSpace($0) }
      words.append(Substring(decoding: word.prefix(longestWord), as: UTF8.self))
      rest = rest[word.endIndex...].drop(while: isSpace)
    }
    return words
  }

  private static let longestWord = 4096

  /// Returns the rest of a line after `count` words, without surrounding spaces.
  private static func rest(of line: ArraySlice<UInt8>, after count: Int) -> ArraySlice<UInt8> {
    var rest = line.drop(while: isSpace)
    for _ in 0..<count { rest = rest.drop { !isSpace($0) }.drop(while: isSpace) }
    while let last = rest.last, isSpace(last) { rest = rest.dropLast() }
    return rest.prefix(longestWord)
  }
}
