import MienLiveness
import MienCore
import Testing

@Suite struct `Task sample` {
  static let pose = HeadPose(yaw: 12, pitch: -7, roll: 3)

  @Test func `pose, eyes, jaw and box are taken from an observation`() throws {
    var shapes = Blendshapes()
    shapes[.eyeBlinkLeft] = 0.4
    shapes[.eyeBlinkRight] = 0.3
    shapes[.jawOpen] = 0.2
    let landmarks = try #require(Landmarks(Array(repeating: .zero, count: Landmarks.count)))
    let presence = try #require(Score(1))
    let face = ObservedFace(
      box: Footage.box, presence: presence, pose: Self.pose, blendshapes: shapes, landmarks: landmarks)
    var observation = FaceObservation(
      at: .after(1), frameWidth: 640, frameHeight: 480, brightness: 100, faceCount: 1, face: face)
    let expected = TaskSample.Face(
      yaw: 12, pitch: -7, roll: 3, eyeBlinkLeft: 0.4, eyeBlinkRight: 0.3, jawOpen: 0.2, box: Footage.box)
    #expect(TaskSample(observation) == TaskSample(at: .after(1), sight: .face(expected)))
    observation.faceCount = 2
    #expect(TaskSample(observation).sight == .severalFaces(2))
    observation.faceCount = 0
    observation.face = nil
    #expect(TaskSample(observation).sight == .noFace)
  }

  @Test func `unmeasured values are kept apart`() {
    var claim = ClientObservation(
      at: .after(2), faceCount: nil, box: nil, pose: Self.pose, blendshapes: Blendshapes())
    #expect(TaskSample(claim).sight == .face(TaskSample.Face(yaw: 12, pitch: -7, roll: 3)))
    claim.faceCount = 3
    #expect(TaskSample(claim).sight == .severalFaces(3))
    claim.faceCount = 0
    #expect(TaskSample(claim).sight == .noFace)
    claim.faceCount = 1
    claim.pose = nil
    #expect(TaskSample(claim).sight == .noFace)
  }

  @Test func `implausible values count as no face`() {
    func sight(_ change: (inout TaskSample.Face) -> Void) -> TaskSample.Sight {
      var face = TaskActing().face
      change(&face)
      return TaskSample(at: .zero, sight: .face(face)).sight
    }
    #expect(sight { _ in } != .noFace)
    #expect(sight { $0.yaw = .nan } == .noFace)
    #expect(sight { $0.pitch = 91 } == .noFace)
    #expect(sight { $0.roll = .infinity } == .noFace)
    #expect(sight { $0.eyeBlinkLeft = .nan } == .noFace)
    #expect(sight { $0.jawOpen = 7 } == .noFace)
    #expect(sight { $0.box = FaceBox(x: 0, y: 0, width: 0, height: 1) } == .noFace)
    #expect(TaskSample(at: .zero, sight: .severalFaces(1)).sight == .noFace)
  }

  @Test func `a task sample converts to and from a head sample`() {
    for sight in [HeadSample.Sight.face(yaw: 9, box: Footage.box), .noFace, .severalFaces(2)] {
      let head = HeadSample(at: .after(3), sight: sight)
      #expect(TaskSample(head).head == head)
    }
  }

  @Test func `printing shows no number`() {
    let sample = TaskActing().face
    var text = "\(sample) \(TaskSample(at: .zero, sight: .face(sample)))"
    dump(TaskSample(at: .zero, sight: .face(sample)), to: &text)
    #expect(!text.contains { $0.isNumber })
  }
}
