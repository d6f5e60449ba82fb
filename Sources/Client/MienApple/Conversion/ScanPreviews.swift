public import Foundation
internal import MienCore
internal import MienScanFormat
public import MienViewModels

extension DepthPreview {
  /// Creates the upright preview of a landscape sensor's map.
  ///
  /// - Parameters:
  ///   - map: distances in meters.
  ///   - widest: maximum number of columns.
  ///   - range: distances in meters that are shown from white to dark gray; nearer and farther ones are clamped.
  public init?(_ map: MetricDepthMap, widest: Int = 96, range: ClosedRange<Float> = 0.2...1.5) {
    let factor = max(1, (map.height + widest - 1) / widest)
    let (width, height) = (map.height / factor, map.width / factor)
    var gray = [UInt8](repeating: 0, count: max(0, width * height))
    for y in 0..<height {
      for x in 0..<width {
        // Turned by 90° clockwise: the columns of the upright picture are the sensor's rows, from the last one.
        let meters = map.meters[(map.height - 1 - x * factor) * map.width + y * factor]
        guard meters.isFinite, meters > 0 else { continue }
        let share = (min(max(meters, range.lowerBound), range.upperBound) - range.lowerBound)
        gray[y * width + x] = UInt8(255 - 225 * share / (range.upperBound - range.lowerBound))
      }
    }
    self.init(width: width, height: height, gray: gray)
  }
}

extension MetricDepthMap {
  /// Returns the median distance in the middle half of a box, or `nil` without a measurement.
  ///
  /// - Parameter box: left, top, width and height as fractions of the *upright* picture.
  public func distance(in box: SIMD4<Float>) -> Float? {
    var found: [Float] = []
    for row in 0..<9 {
      for column in 0..<9 {
        let x = box.x + box.z * (0.25 + 0.5 * Float(column) / 8)
        let y = box.y + box.w * (0.25 + 0.5 * Float(row) / 8)
        guard (0..<1).contains(x), (0..<1).contains(y) else { continue }
        // The upright picture's x runs along the sensor's rows, from the last one; its y along the columns.
        let place = Int((1 - x) * Float(height - 1)) * width + Int(y * Float(width - 1))
        if meters[place].isFinite, meters[place] > 0 { found.append(meters[place]) }
      }
    }
    return found.isEmpty ? nil : found.sorted()[found.count / 2]
  }
}

/// Points of a scan in world coordinates, in meters, for a quick look on the device. The surface is made by the server.
public struct ScanPoints: Sendable {
  public let points: [SIMD3<Float>]

  /// Reads some frames of a scan bundle, and some samples of each.
  ///
  /// - Parameters:
  ///   - file: the scan bundle.
  ///   - most: maximum number of points.
  ///   - farthest: samples beyond this distance in meters are left out, which are the room and not the face.
  /// - Returns: `nil` if the file cannot be read or has no pose.
  public init?(_ file: URL, most: Int = 20_000, farthest: Float = 1.2) {
    guard let data = try? Data(contentsOf: file, options: .mappedIfSafe),
      let reader = try? ScanReader(MappedBytes(data)), reader.count > 0
    else { return nil }
    let frames = min(reader.count, 12)
    let perFrame = max(1, most / frames)
    var points: [SIMD3<Float>] = []
    for number in 0..<frames {
      guard let frame = try? reader.frame(at: number * reader.count / frames), let pose = frame.pose else { continue }
      let step = max(1, Int((Float(frame.width * frame.height) / Float(perFrame)).squareRoot().rounded(.up)))
      for y in stride(from: 0, to: frame.height, by: step) {
        for x in stride(from: 0, to: frame.width, by: step) {
          let depth = Float(frame.depth[y * frame.width + x]) * reader.header.metersPerStep
          guard depth > 0, depth <= farthest, points.count < most else { continue }
          let lens = frame.intrinsics
          let right = (Float(x) - lens.cx) / lens.fx * depth
          let up = (lens.cy - Float(y)) / lens.fy * depth
          points.append(pose.world(SIMD3(right, up, -depth)))
        }
      }
    }
    guard !points.isEmpty else { return nil }
    self.points = points
  }

  /// Middle of the points.
  public var center: SIMD3<Float> { points.reduce(SIMD3<Float>.zero, +) / Float(points.count) }
}

extension ScanPoints: CustomStringConvertible, CustomReflectable {
  public var description: String { "ScanPoints(\(points.count))" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
