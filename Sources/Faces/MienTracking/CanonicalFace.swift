import Foundation
import MienInference

/// The mesh model's canonical face in centimeters, and the weight of each point in the pose fit.
///
/// Read from `geometry_pipeline_metadata_landmarks.binarypb`, a protocol buffer
/// `mediapipe.tasks.vision.face_geometry.proto.GeometryPipelineMetadata`: field 1 is the mesh, whose field 3 holds five
/// floats per vertex (x, y, z, u, v); each field 2 is a landmark (1) with its weight (2).
struct CanonicalFace: Sendable {
  static let fileName = "geometry_pipeline_metadata_landmarks.binarypb"

  /// The weighted landmarks, with their positions on the canonical face.
  let anchors: [Anchor]

  struct Anchor: Sendable {
    let landmark: Int
    let place: SIMD3<Double>
    let weight: Double
  }

  /// - Throws: ``InferenceError`` if the file is missing or invalid.
  init(folder: String) throws(InferenceError) {
    guard let data = FileManager.default.contents(atPath: "\(folder)/\(Self.fileName)") else {
      throw InferenceError(.modelMissing, name: Self.fileName, reason: "there is no such file, or it cannot be read")
    }
    guard let anchors = Self.anchors([UInt8](data)), anchors.count >= 4 else {
      throw InferenceError(.modelUnusable, name: Self.fileName, reason: "it does not hold a canonical face")
    }
    self.anchors = anchors
  }

  private static func anchors(_ bytes: [UInt8]) -> [Anchor]? {
    var reader = ProtocolBufferReader(bytes[...])
    var numbers: [Float] = []
    var weights: [(landmark: Int, weight: Double)] = []
    while let field = reader.next() {
      switch (field.number, field.value) {
      case (1, .bytes(let mesh)):
        var inner = ProtocolBufferReader(mesh)
        while let field = inner.next() {
          // The floats are either packed into one field, or one per field.
          if field.number == 3, case .bytes(let packed) = field.value {
            var place = packed.startIndex
            while place + 4 <= packed.endIndex {
              numbers.append(ProtocolBufferReader.float(packed[place..<place + 4]))
              place += 4
            }
          } else if field.number == 3, case .float(let value) = field.value {
            numbers.append(value)
          }
        }
      case (2, .bytes(let entry)):
        var inner = ProtocolBufferReader(entry)
        // A protocol buffer omits fields whose value is zero.
        var (landmark, weight) = (0, 0.0)
        while let field = inner.next() {
          if field.number == 1, case .integer(let value) = field.value { landmark = Int(clamping: value) }
          if field.number == 2, case .float(let value) = field.value { weight = Double(value) }
        }
        weights.append((landmark, weight))
      default: break
      }
    }
    let vertices = numbers.count / 5
    guard weights.allSatisfy({ $0.landmark < min(vertices, 468) && $0.weight > 0 }) else { return nil }
    return weights.map { entry in
      let at = entry.landmark * 5
      let place = SIMD3(Double(numbers[at]), Double(numbers[at + 1]), Double(numbers[at + 2]))
      return Anchor(landmark: entry.landmark, place: place, weight: entry.weight)
    }
  }
}
