internal import Foundation
package import MienCore

/// Table of the 478 landmarks of every frame: one row per landmark, no rows for a frame without a face.
///
/// x and y are fractions of the image's width and height, z is on the scale of x (``Landmarks``).
package struct LandmarkCSV {
  package private(set) var text = "frame,point,x,y,z\n"

  package init() {}

  package mutating func add(_ landmarks: Landmarks?, frame: Int) {
    guard let landmarks else { return }
    for (point, place) in landmarks.points.enumerated() {
      text += String(format: "%d,%d,%.6f,%.6f,%.6f\n", frame, point, place.x, place.y, place.z)
    }
  }
}
