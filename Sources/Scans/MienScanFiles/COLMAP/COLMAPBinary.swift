internal import MienScanFormat

/// Parses the binary files of a COLMAP model: little-endian, a count of 64 bits first.
enum COLMAPBinary {
  /// Names of the camera models by their numbers, and how many parameters they have.
  private static let models: [(name: String, parameters: Int)] = [
    ("SIMPLE_PINHOLE", 3), ("PINHOLE", 4), ("SIMPLE_RADIAL", 4), ("RADIAL", 5), ("OPENCV", 8), ("OPENCV_FISHEYE", 8),
    ("FULL_OPENCV", 12), ("FOV", 5), ("SIMPLE_RADIAL_FISHEYE", 4), ("RADIAL_FISHEYE", 5), ("THIN_PRISM_FISHEYE", 12),
    ("RAD_TAN_THIN_PRISM_FISHEYE", 16),
  ]

  static func cameras(_ bytes: [UInt8], _ file: String) throws(ScanError) -> [Int64: COLMAPModel.Camera] {
    let damaged = ScanError(.damaged, "\(file) is not a valid COLMAP file")
    var reader = Cursor(bytes)
    guard let count = reader.unsigned(8), (1...UInt64(COLMAPModel.mostImages)).contains(count) else { throw damaged }
    var cameras: [Int64: COLMAPModel.Camera] = [:]
    for _ in 0..<count {
      guard let number = reader.unsigned(4), let model = reader.unsigned(4), let width = reader.unsigned(8),
        let height = reader.unsigned(8), model < UInt64(models.count)
      else { throw damaged }
      let (name, parameters) = models[Int(model)]
      guard let values = reader.doubles(parameters) else { throw damaged }
      cameras[Int64(number)] = COLMAPModel.Camera(
        model: name, width: Double(width), height: Double(height), parameters: values)
    }
    return cameras
  }

  static func images(_ bytes: [UInt8], _ file: String) throws(ScanError) -> [COLMAPModel.Image] {
    let damaged = ScanError(.damaged, "\(file) is not a valid COLMAP file")
    var reader = Cursor(bytes)
    guard let count = reader.unsigned(8), (1...UInt64(COLMAPModel.mostImages)).contains(count) else { throw damaged }
    var images: [COLMAPModel.Image] = []
    for _ in 0..<count {
      guard reader.unsigned(4) != nil, let numbers = reader.doubles(7), let camera = reader.unsigned(4),
        let name = reader.text(), let points = reader.unsigned(8), let start = reader.skip(points, of: 24)
      else { throw damaged }
      var image = COLMAPModel.Image(
        name: name, camera: Int64(camera), rotation: Array(numbers[..<4]), translation: Array(numbers[4...]))
      if COLMAPModel.isObserved(images.count) {
        image.observations = observations(bytes[start...], Int(min(points, UInt64(COLMAPModel.mostObservations))))
      }
      images.append(image)
    }
    return images
  }

  private static func observations(_ bytes: ArraySlice<UInt8>, _ count: Int) -> [COLMAPModel.Observation] {
    var reader = Cursor(bytes)
    return (0..<count).compactMap { _ in
      guard let place = reader.doubles(2), let bits = reader.unsigned(8) else { return nil }
      let point = Int64(bitPattern: bits)
      return point < 0 ? nil : COLMAPModel.Observation(u: place[0], v: place[1], point: point)
    }
  }

  /// Returns the positions of the wanted points, up to the first damage in the file.
  static func points(_ bytes: [UInt8], _ wanted: Set<Int64>) -> [Int64: SIMD3<Double>] {
    var points: [Int64: SIMD3<Double>] = [:]
    var reader = Cursor(bytes)
    guard !wanted.isEmpty, reader.unsigned(8) != nil else { return points }
    // Number and position, color, error, and pairs of images and points.
    while let bits = reader.unsigned(8), let place = reader.doubles(3), reader.skip(11, of: 1) != nil,
      let track = reader.unsigned(8), reader.skip(track, of: 8) != nil
    {
      let number = Int64(bitPattern: bits)
      if wanted.contains(number) { points[number] = SIMD3(place[0], place[1], place[2]) }
    }
    return points
  }

  /// Reads values in order; nil beyond the end.
  private struct Cursor {
    private let bytes: ArraySlice<UInt8>
    private var place: Int

    init(_ bytes: ArraySlice<UInt8>) {
      self.bytes = bytes
      place = bytes.startIndex
    }

    init(_ bytes: [UInt8]) { self.init(bytes[...]) }

    mutating func unsigned(_ count: Int) -> UInt64? {
      guard count <= bytes.endIndex - place else { return nil }
      defer { place += count }
      return bytes[place..<place + count].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    mutating func doubles(_ count: Int) -> [Double]? {
      var values: [Double] = []
      for _ in 0..<count {
        guard let bits = unsigned(8) else { return nil }
        values.append(Double(bitPattern: bits))
      }
      return values
    }

    /// Returns the text up to a zero byte.
    mutating func text() -> String? {
      guard let end = bytes[place...].prefix(4097).firstIndex(of: 0) else { return nil }
      defer { place = end + 1 }
      return String(decoding: bytes[place..<end], as: UTF8.self)
    }

    /// Skips values and returns the position of the first one.
    mutating func skip(_ count: UInt64, of size: Int) -> Int? {
      let start = place
      guard count <= UInt64((bytes.endIndex - place) / size) else { return nil }
      place += Int(count) * size
      return start
    }
  }
}
