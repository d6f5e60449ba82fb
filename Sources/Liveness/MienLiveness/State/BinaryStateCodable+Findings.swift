public import MienCore

extension FaceBox: BinaryStateValue {
  public static var blank: FaceBox { FaceBox(x: 0, y: 0, width: 0, height: 0) }
  public mutating func pass(over coder: inout BinaryStateCoder) {
    coder.pass(&x)
    coder.pass(&y)
    coder.pass(&width)
    coder.pass(&height)
  }
}

extension Finding: BinaryStateValue {
  public static var blank: Finding { Finding(check: "", result: .notAssessed(.noFace)) }
  public mutating func pass(over coder: inout BinaryStateCoder) {
    var (check, result) = (self.check, self.result)
    coder.pass(&check)
    coder.pass(&result)
    self = Finding(check: check, result: result)
  }
}

extension Finding.Result: BinaryStateCodable {
  public mutating func pass(over coder: inout BinaryStateCoder) {
    var (tag, reason, obstacle) = (0, "", UnavailableReason.noFace)
    var measure: Finding.Measure?
    switch self {
    case .genuine(let found): (tag, measure) = (0, found)
    case .suspect(let found, let because): (tag, measure, reason) = (1, found, because)
    case .notAssessed(let why): (tag, obstacle) = (2, why)
    }
    coder.pass(&tag)
    if tag == 2 {
      coder.pass(&obstacle)
      self = .notAssessed(obstacle)
      return
    }
    var (native, score) = (measure.map(\.native) ?? .nan, measure.map(\.score.value) ?? .nan)
    var calibration = measure.map(\.calibration) ?? ""
    coder.pass(&native)
    coder.pass(&score)
    coder.pass(&calibration)
    if tag == 1 { coder.pass(&reason) }
    guard coder.isReading else { return }
    guard (0...1).contains(tag), let score = Score(score) else { return coder.require(false) }
    let read = Finding.Measure(native: native, score: score, calibration: calibration)
    self = tag == 0 ? .genuine(read) : .suspect(read, because: reason)
  }
}

extension UnavailableReason: BinaryStateCodable {
  public mutating func pass(over coder: inout BinaryStateCoder) {
    var (tag, count, what) = (0, 0, "")
    switch self {
    case .noFace: tag = 0
    case .noDepth: tag = 1
    case .notEnrolled: tag = 2
    case .tooLittleValidDepth: tag = 3
    case .severalFaces(let number): (tag, count) = (4, number)
    case .tooFewFrames(let number): (tag, count) = (5, number)
    case .modelUnavailable(let model): (tag, what) = (6, model)
    case .tooLittleLight: tag = 7
    case .declined: tag = 8
    case .notLive: tag = 9
    case .imageTooSmall: tag = 10
    case .imageTooCompressed: tag = 11
    case .templateDeleted: tag = 12
    }
    coder.pass(&tag)
    coder.pass(&count)
    coder.pass(&what)
    switch tag {
    case 0: self = .noFace
    case 1: self = .noDepth
    case 2: self = .notEnrolled
    case 3: self = .tooLittleValidDepth
    case 4: self = .severalFaces(count)
    case 5: self = .tooFewFrames(count)
    case 6: self = .modelUnavailable(what)
    case 7: self = .tooLittleLight
    case 8: self = .declined
    case 9: self = .notLive
    case 10: self = .imageTooSmall
    case 11: self = .imageTooCompressed
    case 12: self = .templateDeleted
    default: coder.require(false)
    }
  }
}
