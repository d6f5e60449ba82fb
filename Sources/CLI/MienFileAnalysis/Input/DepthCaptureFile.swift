internal import MienCodecs
package import MienCore
internal import MienFiles
internal import MienRecordings

/// Depth captures in files: depth frames, or 16-bit grayscale PNG maps.
package enum DepthCaptureFile {
  /// Description of PNG maps, which do not describe themselves.
  package struct MapSettings {
    private let unit: Int
    private let intrinsics: PinholeIntrinsics
    private let face: FaceBox

    /// - Parameters:
    ///   - unit: micrometers per step.
    ///   - intrinsics: intrinsics in the map's pixels.
    ///   - face: face as fractions of the map's size.
    package init(unit: Int, intrinsics: PinholeIntrinsics, face: FaceBox) {
      self.unit = unit
      self.intrinsics = intrinsics
      self.face = face
    }

    fileprivate func frame(_ map: Gray16Image) -> DepthFrame? {
      DepthFrame(
        width: map.width, height: map.height, samples: map.samples, micrometersPerStep: unit, intrinsics: intrinsics,
        face: face, at: .zero)
    }
  }

  /// Returns `true` if the path is one of a PNG map.
  package static func isMap(_ path: String) -> Bool { path.lowercased().hasSuffix(".png") }

  /// Returns the frames of a file.
  ///
  /// - Parameter maps: description of PNG maps; `nil` to refuse them.
  /// - Throws: ``OperationError`` if the file cannot be read.
  package static func read(_ path: String, maps: MapSettings?) throws -> [DepthFrame] {
    let bytes = try InputFile.bytes(path)
    if isMap(path) { return [try pngFrame(bytes, path, maps)] }
    do {
      return try DepthFrameCodec.read(ContiguousArray(bytes))
    } catch {
      throw OperationError("\(path): \(error)")
    }
  }

  private static func pngFrame(_ bytes: [UInt8], _ path: String, _ settings: MapSettings?) throws -> DepthFrame {
    guard let settings else { throw OperationError("\(path) is a PNG map: it needs --intrinsics and --face.") }
    let map: Gray16Image
    do {
      map = try PNGDecoder().decodeGray16(bytes)
    } catch {
      throw OperationError("\(path): \(error)")
    }
    guard let frame = settings.frame(map) else {
      throw OperationError("\(path): the sizes, the unit, the intrinsics or the face box are implausible.")
    }
    return frame
  }
}
