import MienDepth
import MienService

// What the engine says of a scan, as the service keeps it.

extension ScanOutcome.Remark {
  init(_ remark: ScanRemark) {
    self.init(code: remark.code.rawValue, values: remark.values, words: remark.words)
  }
}

extension ScanOutcome {
  mutating func note(_ code: ScanRemark.Code, _ values: [String: String] = [:], detail: String? = nil) {
    note(Remark(ScanRemark(code, values, detail: detail)))
  }
}

extension ReconstructionError.Code {
  /// For a person.
  var remark: ScanRemark.Code {
    switch self {
    case .tooLarge: .surfaceTooLarge
    case .mapTooLarge: .surfaceMapTooLarge
    case .tooManyVertices: .surfaceTooManyVertices
    case .lost: .surfaceLost
    default: .surfaceNothingMeasured
    }
  }
}
