internal import MienReconstruction
internal import MienScanService

// Conversion of the engine's diagnostics to the service's report.

extension ScanReport.Remark {
  init(_ remark: ScanDiagnostic) {
    self.init(code: remark.code.rawValue, values: remark.values, text: remark.words)
  }
}

extension ScanReport {
  mutating func note(_ code: ScanDiagnostic.Code, _ values: [String: String] = [:], detail: String? = nil) {
    note(Remark(ScanDiagnostic(code, values, detail: detail)))
  }
}

extension ReconstructionError.Code {
  /// Diagnostic code to report.
  var remark: ScanDiagnostic.Code {
    switch self {
    case .tooLarge: .surfaceTooLarge
    case .mapTooLarge: .surfaceMapTooLarge
    case .tooManyVertices: .surfaceTooManyVertices
    case .lost: .surfaceLost
    default: .surfaceNothingMeasured
    }
  }
}
