import Foundation
import MienApple
import MienCore
import Testing

/// Conversion of ARKit faces to observations: sides, signs and units.
@Suite struct `ARKit face adapter` {
  /// Raw values of ARKit's constants, in the order of its documentation.
  static let raw = [
    "eyeBlink_L", "eyeLookDown_L", "eyeLookIn_L", "eyeLookOut_L", "eyeLookUp_L", "eyeSquint_L", "eyeWide_L",
    "eyeBlink_R", "eyeLookDown_R", "eyeLookIn_R", "eyeLookOut_R", "eyeLookUp_R", "eyeSquint_R", "eyeWide_R",
    "jawForward", "jawLeft", "jawRight", "jawOpen", "mouthClose", "mouthFunnel", "mouthPucker", "mouthLeft",
    "mouthRight", "mouthSmile_L", "mouthSmile_R", "mouthFrown_L", "mouthFrown_R", "mouthDimple_L", "mouthDimple_R",
    "mouthStretch_L", "mouthStretch_R", "mouthRollLower", "mouthRollUpper", "mouthShrugLower", "mouthShrugUpper",
    "mouthPress_L", "mouthPress_R", "mouthLowerDown_L", "mouthLowerDown_R", "mouthUpperUp_L", "mouthUpperUp_R",
    "browDown_L", "browDown_R", "browInnerUp", "browOuterUp_L", "browOuterUp_R", "cheekPuff", "cheekSquint_L",
    "cheekSquint_R", "noseSneer_L", "noseSneer_R", "tongueOut",
  ]

  @Test func `all 52 blend shapes are known as constants and raw values`() {
    #expect(Set(Self.raw.compactMap(FaceAdapter.name)).count == 52)
    for name in BlendshapeName.allCases { #expect(FaceAdapter.name(name.text) == name) }
    #expect(FaceAdapter.name("eyeBlink_L") == .eyeBlinkLeft && FaceAdapter.name("eyeBlink_R") == .eyeBlinkRight)
    for none in ["", "_L", "jawOpen_L", "eyeBlink", "ofTomorrow", "eyeBlinkLeft_L"] {
      #expect(FaceAdapter.name(none) == nil, "\(none)")
    }
  }

  @Test func `an invalid coefficient is unmeasured and never zero`() throws {
    let shapes = try #require(
      FaceAdapter.blendshapes(["eyeBlink_L": 0.75, "jawOpen": .nan, "tongueOut": .infinity, "smileOfTomorrow": 1]))
    #expect(shapes[.eyeBlinkLeft] == 0.75 && shapes[.eyeBlinkRight] == nil && shapes[.jawOpen] == nil)
    #expect(shapes.measuredCount == 1 && shapes.isPlausible)
    #expect(FaceAdapter.blendshapes([:]) == nil && FaceAdapter.blendshapes(["jawOpen": -.infinity]) == nil)
    #expect(FaceAdapter.blendshapes(["jawOpen": 40])?.isPlausible == true)
  }

  @Test(
    "a head's angles come back with their signs",
    arguments: [(0, 0, 0), (30, 0, 0), (-30, 0, 0), (0, 20, 0), (0, -20, 0), (0, 0, 15), (0, 0, -15), (40, -25, 170)]
      as [(Float, Float, Float)])
  func angles(yaw: Float, pitch: Float, roll: Float) throws {
    let rotation = turn(y: yaw) * turn(x: -pitch) * turn(z: roll)
    let pose = try #require(HeadPose(faceToCamera: rotation))
    #expect(abs(pose.yaw - yaw) < 0.01 && abs(pose.pitch - pitch) < 0.01 && abs(pose.roll - roll) < 0.01, "\(yaw)")
  }

  @Test func `a nose toward the image's right is a yaw to the subject's left`() throws {
    // The third column is the direction of the nose: here +x, the right side of an unmirrored image.
    let pose = try #require(
      HeadPose(faceToCamera: TransformMatrix([0, 0, -1, 0], [0, 1, 0, 0], [1, 0, 0, 0], [0, 0, -0.4, 1])))
    #expect(abs(pose.yaw - 90 * Side.subjectLeft.yawSign) < 0.01)
    let up = try #require(
      HeadPose(faceToCamera: TransformMatrix([1, 0, 0, 0], [0, 0, -1, 0], [0, 1, 0, 0], [0, 0, 0, 1])))
    #expect(abs(up.pitch - 90) < 0.01)
  }

  @Test func `an invalid rotation has no angles`() {
    let bad: [TransformMatrix] = [
      TransformMatrix([2, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]),
      TransformMatrix([1, 0, 0, 0], [0, 1, 0, 0], [0, 0, -1, 0], [0, 0, 0, 1]),
      TransformMatrix([1, 0, 0, 0], [0.5, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]),
      TransformMatrix([.nan, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]),
      TransformMatrix([1, 0, 0, 0.5], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]),
      TransformMatrix([1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, .infinity, 0, 1]),
      TransformMatrix(.zero, .zero, .zero, .zero),
    ]
    for columns in bad { #expect(HeadPose(faceToCamera: columns) == nil, "\(columns)") }
  }

  @Test func `camera rotation does not count as head rotation`() throws {
    // Camera and face are both rotated in the world, as when the person walks around a corner with the phone.
    let camera = turn(y: 77) * turn(x: 12)
    let cameraBack = turn(x: -12) * turn(y: -77)
    var face = camera * turn(y: 25)
    face.place = [0, 0, 0, 1]
    let seen = try #require(
      FaceAdapter.observation(of: [tracked(face)], worldToCamera: cameraBack, at: 1))
    let pose = try #require(seen.pose)
    #expect(abs(pose.yaw - 25) < 0.01)
  }

  @Test func `no face is reported, several are counted and the nearest is described`() throws {
    var (near, far) = (TransformMatrix.identity, turn(y: 50))
    (near.place, far.place) = ([0, 0, -0.3, 1], [0, 0, -1.2, 1])
    func claim(_ faces: [TrackedFace]) throws -> ClientObservation {
      try #require(FaceAdapter.observation(of: faces, worldToCamera: .identity, at: 12.5))
    }
    let nobody = try claim([])
    #expect(nobody.faceCount == 0 && nobody.pose == nil && nobody.blendshapes == nil && !nobody.hasFace)
    #expect(nobody.at == MonotonicInstant(seconds: 12.5))
    let lost = try claim([tracked(near, isTracked: false)])
    #expect(lost.faceCount == 0 && lost.blendshapes == nil)
    let two = try claim([tracked(far), tracked(near), tracked(near, isTracked: false)])
    let pose = try #require(two.pose)
    #expect(two.faceCount == 2 && abs(pose.yaw) < 0.01 && two.hasFace)
    for time in [Double.nan, .infinity, 1e300] {
      #expect(FaceAdapter.observation(of: [], worldToCamera: .identity, at: time) == nil)
    }
  }

  @Test func `an outline becomes a bounding box and an invalid one is rejected`() throws {
    let box = try #require(FaceAdapter.box(around: [[0.25, 0.5], [0.75, 0.25], [0.5, 1]]))
    #expect(box == FaceBox(x: 0.25, y: 0.25, width: 0.5, height: 0.75))
    for bad in [[], [[0.5, 0.5]], [[0, 0], [.nan, 1]], [[0, 0], [9, 9]]] as [[SIMD2<Float>]] {
      #expect(FaceAdapter.box(around: bad) == nil)
    }
  }

  @Test func `a non-finite light value gives no estimate`() {
    #expect(LightEstimate(lumens: 1000, kelvin: 6500)?.lumens == 1000)
    #expect(LightEstimate(lumens: .nan, kelvin: 6500) == nil && LightEstimate(lumens: -1, kelvin: 0) == nil)
  }

  @Test func `printing reveals no face data`() {
    let face = tracked(.identity)
    let moment = ARFrameSnapshot(
      observation: ClientObservation(at: .zero, faceCount: 1, box: nil, pose: nil, blendshapes: nil), light: nil)
    var dumped = ""
    dump(face, to: &dumped)
    dump(moment, to: &dumped)
    #expect(!"\(face)\(moment)\(dumped)".contains { $0.isNumber })
  }

  private func tracked(_ columns: TransformMatrix, isTracked: Bool = true) -> TrackedFace {
    TrackedFace(coefficients: ["jawOpen": 0.5], faceToWorld: columns, isTracked: isTracked)
  }

  // Textbook rotation matrices about one axis, in degrees.
  private func turn(x degrees: Float) -> TransformMatrix {
    let (s, c) = (sin(degrees * .pi / 180), cos(degrees * .pi / 180))
    return TransformMatrix([1, 0, 0, 0], [0, c, s, 0], [0, -s, c, 0], [0, 0, 0, 1])
  }
  private func turn(y degrees: Float) -> TransformMatrix {
    let (s, c) = (sin(degrees * .pi / 180), cos(degrees * .pi / 180))
    return TransformMatrix([c, 0, -s, 0], [0, 1, 0, 0], [s, 0, c, 0], [0, 0, 0, 1])
  }
  private func turn(z degrees: Float) -> TransformMatrix {
    let (s, c) = (sin(degrees * .pi / 180), cos(degrees * .pi / 180))
    return TransformMatrix([c, s, 0, 0], [-s, c, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1])
  }
}
