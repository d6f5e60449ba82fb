import Foundation
import MienCore
import MienRecordings
import Testing

@Suite struct MediaPipeFaceLandmarkerTests {
  private func read(_ text: String, _ rules: ParserLimits = ParserLimits()) throws -> [ClientObservation] {
    try Recording.read(bytes(text), format: .mediaPipe, rules: rules).observations
  }

  @Test func `the documented example is read as described`() throws {
    let observations = try read(try sample("jsonl", in: "MediaPipeFaceLandmarker.md"))
    try #require(observations.count == 3)
    #expect(observations.map(\.at.nanoseconds) == [0, 33_400_000, 66_800_000])
    #expect(observations.map(\.faceCount) == [1, 1, 0])
    #expect(observations.map { $0.blendshapes?[.jawOpen] } == [0.5243, 0.51, nil])
    #expect(observations[0].blendshapes?.has(.tongueOut) == false)
    #expect(observations[0].blendshapes?.measuredCount == 1)
    for observation in observations.prefix(2) {
      let pose = try #require(observation.pose)
      #expect(abs(pose.yaw - 30) < 1e-4, "web's columns and Python's rows are the same rotation")
      #expect(abs(pose.pitch) < 1e-4)
      #expect(abs(pose.roll) < 1e-4)
    }
    #expect(!observations[2].hasFace)
  }

  private static func points(_ count: Int) -> String {
    (0..<count).map { #"{"x":\#(0.25 + Double($0 % 2) / 2),"y":0.5\#($0 % 7),"z":-0.01,"visibility":0}"# }
      .joined(separator: ",")
  }

  @Test func `the bounding box contains the landmarks of the first face`() throws {
    let text = #"{"faceLandmarks":[[\#(Self.points(478))],[{}]],"extra":{"a":[1,"x",null,true,false]}}"#
    let observation = try #require(try read(text).first)
    #expect(observation.faceCount == 2)
    let box = try #require(observation.box)
    #expect(box.x == 0.25 && box.width == 0.5 && box.y == 0.5)
    #expect(abs(box.height - 0.06) < 1e-6)
    let arrays = "[" + (0..<468).map { "[0.\($0 + 100),0.\(600 - $0),0]" }.joined(separator: ",") + "]"
    #expect(try read(#"[{"face_landmarks":[\#(arrays)]}]"#).first?.box?.x == 0.1)
  }

  @Test func `results without timestamps are spaced by the given frame rate`() throws {
    let text = #"[{"faceBlendshapes":[]},{"faceBlendshapes":[]}]"#
    #expect(try read(text, ParserLimits(frameRate: 25)).map(\.at.nanoseconds) == [0, 40_000_000])
    #expect(try refusal { _ = try read(text) }.code == .frameRateUnknown)
    #expect(try read(#"{"faceBlendshapes":[]}"#).map(\.at) == [.zero])
  }

  @Test func `a result can be next to its timestamp`() throws {
    let text = #"{"timestampMs":1.5,"result":{"faceBlendshapes":[],"faceLandmarks":null}}"#
    #expect(try read(text).map(\.at.nanoseconds) == [1_500_000])
  }

  private static let rigid = "1,0,0,0,0,1,0,0,0,0,1,0,0,0,-30,1"

  static let refused: [Refused] = [
    Refused("", .truncated, 0, "the text ends too early"),
    Refused("[", .truncated, 1, "the text ends too early"),
    Refused("[1]", .wrongType, 1, "an object is expected here"),
    Refused("{}", .missingKey, 0, "a result has landmarks, coefficients or transforms"),
    Refused(#"{"timestampMs":0}"#, .missingKey, 0, "a result has landmarks, coefficients or transforms"),
    Refused(#"{"faceBlendshapes":[]"#, .truncated, 21, "the text ends too early"),
    Refused(#"{"faceBlendshapes":{}}"#, .wrongType, 19, "an array is expected here"),
    Refused(#"{"faceBlendshapes":[],"face_blendshapes":[]}"#, .duplicateKey, 41, "a duplicate key"),
    Refused(#"{"faceBlendshapes":[{}]}"#, .missingKey, 20, "the key categories is missing"),
    Refused(#"{"faceBlendshapes":[[{"score":0}]]}"#, .missingKey, 21, "a category needs its name and its score"),
    Refused(
      #"{"faceBlendshapes":[[{"categoryName":"jaw","score":0}]]}"#, .unknownKey, 21,
      "not a MediaPipe coefficient"),
    Refused(
      #"{"faceBlendshapes":[[{"categoryName":"jawOpen","score":2}]]}"#, .numberOutOfRange, 55,
      "a coefficient is outside -0.5…1.5"),
    Refused(
      #"{"faceBlendshapes":[[{"categoryName":"jawOpen","score":NaN}]]}"#, .malformed, 55,
      "NaN and Infinity are not numbers here"),
    Refused(
      #"{"faceBlendshapes":[[{"categoryName":"jawOpen","score":0},{"score":1,"categoryName":"jawOpen"}]]}"#,
      .duplicateKey, 58, "a duplicate coefficient"),
    Refused(
      #"{"faceBlendshapes":[],"faceLandmarks":[[{"x":0}]]}"#, .missingKey, 40, "a landmark needs x and y"),
    Refused(
      #"{"faceLandmarks":[[{"x":0,"y":0},{"x":1,"y":1}]]}"#, .inconsistent, 18, "a face has 468 or 478 landmarks"),
    Refused(
      #"{"faceBlendshapes":[[{"categoryName":"jawOpen","score":0}]],"facialTransformationMatrixes":[[\#(rigid)],[\#(rigid)]]}"#,
      .inconsistent, 0,
      "the lists of a result have different numbers of faces"),
    Refused(
      #"{"facialTransformationMatrixes":[[1,2,3]]}"#, .numberOutOfRange, 33,
      "not the 16 numbers of a rigid transform"),
    Refused(
      #"{"facialTransformationMatrixes":[[\#(rigid),0]]}"#, .wrongType, 68, "more than 16 numbers in a transform"),
    Refused(
      #"{"facialTransformationMatrixes":[{"data":[-\#(rigid)]}]}"#, .numberOutOfRange, 33,
      "not the 16 numbers of a rigid transform"),
    Refused(
      #"{"facialTransformationMatrixes":[{"data":[1e999,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]}]}"#, .numberOutOfRange, 33,
      "not the 16 numbers of a rigid transform"),
    Refused(
      #"{"facialTransformationMatrixes":[{"data":[1,0,0,5,0,1,0,5,0,0,1,0,5,0,0,1]}]}"#, .numberOutOfRange, 33,
      "not the 16 numbers of a rigid transform"),
    Refused(
      #"{"timestampMs":-1,"faceBlendshapes":[]}"#, .numberOutOfRange, 15, "timestampMs is outside 0…9000000000000"),
    Refused(
      #"[{"timestampMs":2,"faceBlendshapes":[]},{"timestampMs":1,"faceBlendshapes":[]}]"#, .timestampBackwards, 40,
      "timestampMs goes backwards"),
    Refused(
      #"[{"timestampMs":2,"faceBlendshapes":[]},{"faceBlendshapes":[]}]"#, .missingKey, 40,
      "some results have a timestamp and some have none"),
    Refused(
      #"{"x":[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]],"faceBlendshapes":[]}"#, .tooDeep, 21, "nested too deeply"),
    Refused(#"{"faceBlendshapes":[]} ]"#, .malformed, 23, "an object is expected here"),
    Refused(#"[{"faceBlendshapes":[]}] []"#, .malformed, 25, "more text after the end"),
  ]

  @Test(arguments: refused) func `invalid input is rejected with its error and location as documented`(_ row: Refused)
    throws
  {
    let error = try refusal { _ = try read(row.text) }
    #expect(error.code == row.code)
    #expect(error.byte == row.byte)
    #expect(error.reason == row.reason)
    let below = try refusal { _ = try read("\n\n" + row.text) }
    #expect(below.line == 3, "the line is counted")
    #expect(below.byte == row.byte)
  }

  @Test(arguments: 0..<10) func `results are read back as written`(seed: Int) throws {
    var maker = ObservationMaker(seed: UInt64(seed))
    let observations = (0..<30).map { index in
      var shapes: Blendshapes? = maker.coefficients(missing: true)
      shapes?[.tongueOut] = nil
      let pose = HeadPose(
        yaw: maker.number(-179_000_000...179_000_000), pitch: maker.number(-85_000_000...85_000_000),
        roll: maker.number(-179_000_000...179_000_000))
      return ClientObservation(
        at: MonotonicInstant(nanoseconds: Int64(index) * 33_333_333), faceCount: index.isMultiple(of: 7) ? 0 : 1,
        box: nil,
        pose: index.isMultiple(of: 7) ? nil : pose, blendshapes: index.isMultiple(of: 7) ? nil : shapes)
    }
    let written = try Recording(source: .mediaPipe, frameRate: nil, observations: observations).write(as: .mediaPipe)
    let again = try Recording.read(ContiguousArray(written))
    #expect(again.observations.map(\.at) == observations.map(\.at))
    #expect(again.observations.map(\.faceCount) == observations.map(\.faceCount))
    #expect(again.observations.map(\.blendshapes) == observations.map(\.blendshapes))
    for (left, right) in zip(again.observations, observations) {
      guard let right = right.pose else {
        #expect(left.pose == nil)
        continue
      }
      let left = try #require(left.pose)
      #expect(abs(left.yaw - right.yaw) < 2e-5)
      #expect(abs(left.pitch - right.pitch) < 2e-5)
      #expect(abs(left.roll - right.roll) < 2e-5)
    }
  }

  @Test func `more than one face cannot be written`() throws {
    let seen = ClientObservation(at: .zero, faceCount: 2, box: nil, pose: nil, blendshapes: Blendshapes())
    let recording = Recording(source: .device, frameRate: nil, observations: [seen])
    #expect(try refusal { _ = try recording.write(as: .mediaPipe) }.code == .inconsistent)
  }
}

@Suite(.enabled(if: hasSharedData("MediaPipeReferenceTests"))) struct MediaPipeReferenceTests {
  private struct Golden: Decodable {
    var lm: [[Float]]
    var bs: [String: Float]
    var mat: [[Double]]
  }

  /// MediaPipe's results on photos and their mirror images, in each of the three output formats.
  @Test func `every variant of real results reads the same and mirroring flips yaw and roll`() throws {
    let file = try #require(sharedFolder).appending(path: "face-tracking/reference/mediapipe-1.2.2.json")
    let golden = try JSONDecoder().decode([String: Golden?].self, from: Data(contentsOf: file)).compactMapValues { $0 }
    try #require(golden.count > 20)
    var poses: [String: HeadPose] = [:]
    for (name, result) in golden {
      let categories = result.bs.map { ["categoryName": $0.key, "score": $0.value] as [String: Any] }
      let python = result.bs.map { ["category_name": $0.key, "score": $0.value, "index": 0] as [String: Any] }
      let columns = (0..<4).flatMap { column in (0..<4).map { result.mat[$0][column] } }
      let points = result.lm.map { ["x": $0[0], "y": $0[1], "z": $0[2]] }
      let dumps: [[String: Any]] = [
        [
          "faceLandmarks": [points], "faceBlendshapes": [["categories": categories, "headIndex": -1]],
          "facialTransformationMatrixes": [["rows": 4, "columns": 4, "data": columns]],
        ],
        [
          "face_landmarks": [points], "face_blendshapes": [python], "facial_transformation_matrixes": [result.mat],
        ],
        [
          "faceLandmarks": [result.lm], "faceBlendshapes": [categories],
          "facialTransformationMatrixes": [result.mat.flatMap { $0 }],
        ],
      ]
      let read = try dumps.map { dump in
        let data = try JSONSerialization.data(withJSONObject: dump)
        return try #require(try Recording.read(ContiguousArray(data)).observations.first)
      }
      #expect(read[0] == read[1])
      #expect(read[0] == read[2])
      let shapes = try #require(read[0].blendshapes)
      #expect(shapes.measuredCount == 51)
      for (key, value) in result.bs where key != "_neutral" {
        let coefficient = try #require(BlendshapeName(text: key))
        #expect(abs(try #require(shapes[coefficient]) - value) <= 1e-7)
      }
      poses[name] = read[0].pose
    }
    var turned = 0
    for (name, pose) in poses {
      guard let mirrored = poses[name + "_mir"] else { continue }
      // The tracker is not perfectly symmetric: the sign must flip for significant angles.
      #expect(abs(pose.yaw + mirrored.yaw) < 3, "\(name)")
      #expect(abs(pose.pitch - mirrored.pitch) < 3, "\(name)")
      #expect(abs(pose.roll + mirrored.roll) < 3, "\(name)")
      if abs(pose.yaw) > 6 { turned += 1 }
    }
    #expect(turned > 2, "some of the heads are turned, so that the comparison is meaningful")
  }
}
