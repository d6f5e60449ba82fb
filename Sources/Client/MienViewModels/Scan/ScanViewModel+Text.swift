internal import MienClient

extension ScanViewModel {
  /// Advice about the distance of the face before and during the scan.
  public var distanceAdvice: LocalizedText? {
    switch state {
    case .capturing, .scanning: face?.advice
    default: nil
    }
  }

  /// Current instruction.
  public var instruction: LocalizedText? {
    switch state {
    case .idle, .photographing: LocalizedText("check.starting")
    case .capturing:
      if photos.count < Self.photographs {
        LocalizedText("app.scan.photo", ["number": "\(photos.count + 1)", "count": "\(Self.photographs)"])
      } else {
        LocalizedText(mayReview ? "app.scan.complete" : "app.scan.start")
      }
    case .scanning:
      LocalizedText("app.scan.scanning", ["percent": "\(Int(fraction * 100))", "frames": "\(frames)"])
    case .reviewing: LocalizedText("app.scan.complete")
    case .uploading:
      switch progress?.phase {
      case .waiting: LocalizedText("app.scan.waiting")
      case .paused: LocalizedText("scan.paused")
      default: LocalizedText("app.scan.sending")
      }
    case .done: LocalizedText("app.scan.done")
    case .refused(let problem): LocalizedText("problem.\(problem.code).title")
    case .problem(let problem): problem.notices()[0].title
    }
  }
}
