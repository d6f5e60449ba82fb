#if canImport(ARKit) && canImport(UIKit)
  internal import CoreGraphics
  internal import Foundation
  internal import MienViewModels
  internal import SceneKit
  internal import SwiftUI
  internal import UIKit

  /// Points of a scan that can be turned with a finger.
  struct SurfacePreview: UIViewRepresentable {
    let points: ScanPoints

    func makeUIView(context: Context) -> SCNView {
      let view = SCNView(frame: .zero)
      let source = SCNGeometrySource(vertices: points.points.map { SCNVector3(x: $0.x, y: $0.y, z: $0.z) })
      let element = SCNGeometryElement(indices: (0..<Int32(points.points.count)).map { $0 }, primitiveType: .point)
      element.pointSize = 0.002
      element.minimumPointScreenSpaceRadius = 1
      element.maximumPointScreenSpaceRadius = 4
      let geometry = SCNGeometry(sources: [source], elements: [element])
      let node = SCNNode(geometry: geometry)
      let center = points.center
      node.position = SCNVector3(x: -center.x, y: -center.y, z: -center.z)
      let scene = SCNScene()
      scene.rootNode.addChildNode(node)
      view.scene = scene
      view.allowsCameraControl = true
      view.autoenablesDefaultLighting = true
      return view
    }

    func updateUIView(_ view: SCNView, context: Context) {}
  }

  /// Gray picture of a depth map.
  struct DepthPreviewImage: View {
    let preview: DepthPreview

    var body: some View {
      if let image = Self.image(preview) {
        Image(uiImage: UIImage(cgImage: image)).resizable().scaledToFit()
      }
    }

    private static func image(_ preview: DepthPreview) -> CGImage? {
      guard
        let context = unsafe CGContext(
          data: nil, width: preview.width, height: preview.height, bitsPerComponent: 8, bytesPerRow: preview.width * 4,
          space: CGColorSpaceCreateDeviceRGB(), bitmapInfo: CGImageAlphaInfo.noneSkipLast.rawValue),
        let base = unsafe context.data
      else { return nil }
      let bytes = unsafe UnsafeMutableRawBufferPointer(start: base, count: preview.gray.count * 4)
      for (place, gray) in preview.gray.enumerated() {
        for channel in 0..<3 { unsafe bytes[place * 4 + channel] = gray }
      }
      return context.makeImage()
    }
  }
#endif
