import MienLiveness
import MienCore
import RealModule

/// Attacks without the genuine person, or with an unrelated recording.
enum GenericAttack: String, CaseIterable {
  case stillImage = "still picture"
  case noise = "uniform noise"
  case settledNoise = "still, then uniform noise"
  case smoothMovement = "smooth random movement"

  func recording(fps: Double, seconds: Double, generator: inout SeededGenerator) -> TaskRecording {
    var waves: [(amplitude: Float, rate: Float, phase: Float)] = []
    for _ in 0..<15 {
      waves.append(
        (
          .random(in: 0.3...1, using: &generator), .random(in: 0.1...1, using: &generator),
          .random(in: 0...(2 * .pi), using: &generator)
        ))
    }
    // Between −1 and 1.
    func smooth(_ channel: Int, _ time: Double) -> Float {
      var sum: Float = 0
      var most: Float = 0
      for wave in waves[(3 * channel)..<(3 * channel + 3)] {
        sum += wave.amplitude * Float.cos(2 * .pi * wave.rate * Float(time) + wave.phase)
        most += wave.amplitude
      }
      return sum / most
    }
    var samples: [TaskSample] = []
    var time = 0.05
    func uniform(_ reach: Float) -> Float { .random(in: -reach...reach, using: &generator) }
    while time < seconds {
      var face = TaskSample.Face(
        yaw: 0.3 * generator.normal(), pitch: 0.3 * generator.normal(), roll: 0.3 * generator.normal(),
        eyeBlinkLeft: 0.1,
        eyeBlinkRight: 0.1, jawOpen: 0.02, box: Footage.box)
      let isMoving = self == .noise || time > 0.7
      if isMoving, self == .noise || self == .settledNoise {
        let reach: Float = self == .noise ? 45 : 25
        face.yaw = uniform(reach)
        face.pitch = uniform(reach * 0.6)
        face.roll = uniform(reach)
        face.eyeBlinkLeft = .random(in: 0...1, using: &generator)
        face.eyeBlinkRight = .random(in: 0...1, using: &generator)
        face.jawOpen = .random(in: 0...1, using: &generator)
      } else if isMoving, self == .smoothMovement {
        let fade = Float(min((time - 0.7) / 0.5, 1))
        face.yaw += fade * 35 * smooth(0, time)
        face.pitch = face.pitch.map { $0 + fade * 22 * smooth(1, time) }
        face.roll = face.roll.map { $0 + fade * 30 * smooth(2, time) }
        let lids = 0.1 + fade * 0.4 * (1 + smooth(3, time))
        face.eyeBlinkLeft = lids
        face.eyeBlinkRight = lids
        face.jawOpen = 0.02 + fade * 0.4 * (1 + smooth(4, time))
      }
      samples.append(TaskSample(at: .after(time), sight: .face(face)))
      time += 1 / fps
    }
    return TaskRecording(samples)
  }
}
