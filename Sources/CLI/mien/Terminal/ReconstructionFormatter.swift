import MienReconstruction
import MienImaging

extension ReconstructionReport {
  /// Formats the report as text.
  func words(of mesh: SurfaceMesh, _ texture: SurfaceTexture?, voxel: Float) -> String {
    var lines = [
      "\(mesh.triangles.count) triangles, \(mesh.positions.count) vertices, voxels of \(Self.number(voxel * 1000)) mm"
    ]
    if let (least, most) = mesh.bounds {
      let size = (most - least) * 1000
      lines.append(
        "size: \(Int(size.x)) × \(Int(size.y)) × \(Int(size.z)) mm, area \(Self.number(Float(mesh.area * 1e4))) cm²")
    }
    if let texture {
      let share = 100 * texture.photographed / max(texture.triangles.count, 1)
      lines.append(
        "texture: \(texture.image.width) × \(texture.image.height), \(share) % of the triangles from photos")
    }
    lines.append("frames: \(framesFused) fused, \(framesEmpty) empty, \(framesLost) lost")
    if pieces > 1 { lines.append("the path was lost: this is the largest of \(pieces) pieces") }
    if let before = residualBefore, let after = residual {
      lines.append(
        "points lie \(Self.number(after * 1000)) mm off the surface (\(Self.number(before * 1000)) mm before poses were refined)"
      )
    }
    if loopsClosed > 0 {
      lines.append("loops closed: \(loopsClosed); the way was bent by up to \(Self.number(largestBend * 1000)) mm")
    }
    if let drift { lines.append("the end of the way is \(Self.number(drift * 1000)) mm off its beginning") }
    return lines.joined(separator: "\n")
  }

  /// Formats the report as JSON: lengths in millimeters.
  func json(of mesh: SurfaceMesh, _ texture: SurfaceTexture?, voxel: Float) -> String {
    var fields = [
      #""triangles":\#(mesh.triangles.count)"#, #""vertices":\#(mesh.positions.count)"#,
      #""voxel_mm":\#(Self.number(voxel * 1000))"#, #""frames_fused":\#(framesFused)"#,
      #""frames_empty":\#(framesEmpty)"#, #""frames_lost":\#(framesLost)"#, #""frames_placed":\#(framesPlaced)"#,
      #""pieces":\#(pieces)"#,
    ]
    if let before = residualBefore, let after = residual {
      fields.append(#""residual_mm":\#(Self.number(after * 1000)),"residual_before_mm":\#(Self.number(before * 1000))"#)
    }
    if loopsClosed > 0 {
      fields.append(#""loops_closed":\#(loopsClosed),"largest_bend_mm":\#(Self.number(largestBend * 1000))"#)
    }
    if let texture {
      fields.append(
        #""texture":{"width":\#(texture.image.width),"height":\#(texture.image.height),"#
          + #""triangles":\#(texture.photographed)}"#)
    }
    if let drift { fields.append(#""drift_mm":\#(Self.number(drift * 1000))"#) }
    return "{\(fields.joined(separator: ","))}"
  }

  /// Formats a number with at most two decimals.
  private static func number(_ value: Float) -> String {
    let hundredths = Int((value * 100).rounded())
    return "\(Double(hundredths) / 100)"
  }
}
