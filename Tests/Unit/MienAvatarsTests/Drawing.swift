import MienTestGenerators
import Foundation
import MienAvatars
import MienImaging

/// Sprite sheets of simple shapes: each sprite has a unique disc, so that sprites cannot be confused.
enum Drawing {
  static let colors = [
    Pixel(red: 200, green: 40, blue: 40), Pixel(red: 40, green: 160, blue: 60), Pixel(red: 40, green: 70, blue: 200),
    Pixel(red: 220, green: 180, blue: 30), Pixel(red: 150, green: 60, blue: 170), Pixel(red: 30, green: 170, blue: 180),
    Pixel(red: 120, green: 80, blue: 40), Pixel(red: 90, green: 90, blue: 90), Pixel(red: 250, green: 130, blue: 150),
  ]
  static let ground = Pixel(red: 250, green: 240, blue: 220)

  static func sheet(rows: Int, first: Int) -> Frame {
    var painter = DebugOverlayRenderer(Frame(width: 768, height: 256 * rows, filledWith: ground))
    for sprite in 0..<3 * rows {
      let corner = SIMD2(Float(sprite % 3 * 256), Float(sprite / 3 * 256))
      painter.drawDisc(at: corner + SIMD2(128, 110), radius: 70, Pixel(red: 240, green: 200, blue: 150))
      painter.drawDisc(at: corner + SIMD2(60 + Float(first + sprite) * 16, 90), radius: 20, colors[first + sprite])
    }
    return painter.frame
  }

  static let expressions = sheet(rows: 2, first: 0)
  static let rest = sheet(rows: 1, first: 6)
  /// In-between sprites: a mark at another place for each.
  static let between: Frame = {
    var painter = DebugOverlayRenderer(Frame(width: 768, height: 1024, filledWith: ground))
    for sprite in 0..<12 {
      let corner = SIMD2(Float(sprite % 3 * 256), Float(sprite / 3 * 256))
      painter.drawDisc(at: corner + SIMD2(128, 110), radius: 70, Pixel(red: 240, green: 200, blue: 150))
      painter.drawDisc(at: corner + SIMD2(20 + Float(sprite) * 18, 200), radius: 9, colors[sprite % 9])
    }
    return painter.frame
  }()

  /// Returns a sheet with many colors: gradients and noise.
  static func grainy(seed: UInt64) -> Frame {
    var generator = SplitMixGenerator(seed: seed)
    var frame = sheet(rows: 2, first: 0)
    for y in 0..<512 {
      for x in 0..<768 {
        let grain = Int.random(in: -4...4, using: &generator) + x % 256 / 8
        func moved(_ part: UInt8) -> UInt8 { UInt8(clamping: Int(part) + grain - 16) }
        let pixel = frame[x, y]
        frame[x, y] = Pixel(red: moved(pixel.red), green: moved(pixel.green), blue: moved(pixel.blue))
      }
    }
    return frame
  }

  /// Returns a sprite of a sheet.
  static func sprite(_ index: Int, of sheet: Frame) -> [Pixel] {
    (0..<256).flatMap { y in
      (0..<256).map { x in sheet[index % 3 * 256 + x, index / 3 * 256 + y] }
    }
  }
}

extension Frame {
  /// Returns a part of the image.
  func cut(x: Int, y: Int, width: Int, height: Int) -> [Pixel] {
    (y..<y + height).flatMap { row in (x..<x + width).map { self[$0, row] } }
  }

  /// Returns the image scaled down: each pixel is the mean of the area it covers.
  func scaled(to size: Int) -> Frame {
    var small = Frame(width: size, height: size)
    for y in 0..<size {
      for x in 0..<size {
        var sum = SIMD3<Int>(0, 0, 0)
        let rows = y * height / size..<max((y + 1) * height / size, y * height / size + 1)
        let columns = x * width / size..<max((x + 1) * width / size, x * width / size + 1)
        for row in rows {
          for column in columns {
            let pixel = self[column, row]
            sum = sum &+ SIMD3(Int(pixel.red), Int(pixel.green), Int(pixel.blue))
          }
        }
        let count = rows.count * columns.count
        small[x, y] = Pixel(red: UInt8(sum.x / count), green: UInt8(sum.y / count), blue: UInt8(sum.z / count))
      }
    }
    return small
  }

  /// Returns a larger image of one color that contains this image.
  func placed(on color: Pixel, width: Int, height: Int, x: Int, y: Int) -> Frame {
    var large = Frame(width: width, height: height, filledWith: color)
    for row in 0..<self.height { for column in 0..<self.width { large[x + column, y + row] = self[column, row] } }
    return large
  }
}

/// Locations of the repository and the shared test data.
enum Places {
  static let repository = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
    .deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  static let shared: URL? = {
    if let named = ProcessInfo.processInfo.environment["MIEN_SHARED"] {
      let data = URL(fileURLWithPath: named).appendingPathComponent("data")
      return FileManager.default.fileExists(atPath: data.path) ? data : nil
    }
    var folder = repository
    while folder.path != "/" {
      let data = folder.appendingPathComponent("shared/data")
      if FileManager.default.fileExists(atPath: data.path) { return data }
      folder.deleteLastPathComponent()
    }
    return nil
  }()

  /// Reports whether the shared test data is available, and prints a message if it is not.
  static func hasShared(_ suite: String) -> Bool {
    if shared == nil { print("SKIPPED \(suite): shared/data not found") }
    return shared != nil
  }
}
