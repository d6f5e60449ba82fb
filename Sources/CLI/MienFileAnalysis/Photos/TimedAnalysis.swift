package import MienAuthenticity

extension CaptureAnalyzer {
  /// Runs the jobs one after another and measures the time of each group.
  package func timedAnalysis(of capture: CaptureInput) -> (results: DetectionResults, parts: [Part]) {
    let clock = ContinuousClock()
    var timings: [CheckGroup: Double] = [:]
    let parts = jobs(for: capture).map { job in
      let start = clock.now
      let part = job.run()
      timings[job.group] = (clock.now - start) / .milliseconds(1)
      return part
    }
    return (assemble(parts, timings: timings), parts)
  }
}
