@_exported import Foundation

public class CGImage {
  public var width: Int { fatalError() }
  public var height: Int { fatalError() }
}

public class CGColorSpace {
  public static let sRGB: CFString = ""
  public init?(name: CFString) { nil }
}

public func CGColorSpaceCreateDeviceRGB() -> CGColorSpace { fatalError() }

public enum CGImageAlphaInfo: UInt32 { case none, noneSkipLast = 5, noneSkipFirst = 6 }

public class CGContext {
  @unsafe public init?(
    data: UnsafeMutableRawPointer?, width: Int, height: Int, bitsPerComponent: Int, bytesPerRow: Int,
    space: CGColorSpace, bitmapInfo: UInt32
  ) { nil }
  @unsafe public var data: UnsafeMutableRawPointer? { fatalError() }
  public func makeImage() -> CGImage? { fatalError() }
  public func draw(_ image: CGImage, in rect: CGRect, byTiling: Bool = false) {}
}

public struct CGAffineTransform: Sendable {
  public init(scaleX: CGFloat, y: CGFloat) {}
}

// Foundation on Apple systems has these by way of Core Foundation.
public typealias CFString = String
public typealias CFData = Data
public typealias CFDictionary = NSDictionary
public typealias CFTypeRef = AnyObject
