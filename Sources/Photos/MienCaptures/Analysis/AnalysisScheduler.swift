public import MienAuthenticity
public import MienCore
public import MienPlatform
internal import MienWorkers

/// Provides the checks to run on a capture.
public protocol CaptureAnalyzing: Sendable {
  /// Returns the jobs for a capture; they may run in parallel.
  func jobs(for capture: CaptureInput) -> [CaptureAnalyzer.Job]
}

extension CaptureAnalyzer: CaptureAnalyzing {}

/// Runs the checks on captures: a limited number at a time, each with its jobs in parallel and with a time limit.
public actor AnalysisScheduler {
  /// An analysis in progress.
  private struct Work {
    var missing: Set<CheckGroup>
    var parts: [CaptureAnalyzer.Part] = []
    var timings: [CheckGroup: Double] = [:]
    /// Capture whose progress can be queried; `nil` if it is not.
    let capture: CaptureID?
    let deadline: MonotonicInstant
    /// Continuation of the waiting caller; `nil` once it was resumed.
    var done: CheckedContinuation<Void, Never>?
  }

  private let analyzer: any CaptureAnalyzing
  /// Records analysis traces.
  nonisolated let traces: TracingContext
  private nonisolated let clock: any ServiceClock
  private let timeout: Interval
  private let places: Int
  private let maximumWaiting: Int
  private var free: Int
  /// Callers waiting for a slot, in order of arrival.
  private var waiting: [CheckedContinuation<Void, Never>] = []
  private var works: [Int: Work] = [:]
  private var lastWork = 0

  /// - Parameters:
  ///   - places: number of captures analyzed at a time; each has its decoded image in memory.
  ///   - maximumWaiting: maximum number of callers waiting for a slot.
  ///   - timeout: time limit; checks that take longer are left out of the results as too slow.
  ///   - traces: records analysis traces.
  ///   - analyzer: provides the checks to run; all of them by default.
  public init(
    clock: any ServiceClock, places: Int, maximumWaiting: Int, timeout: Interval = .seconds(20),
    traces: TracingContext = .off, analyzer: any CaptureAnalyzing = CaptureAnalyzer()
  ) {
    self.analyzer = analyzer
    self.traces = traces
    self.clock = clock
    self.places = max(places, 1)
    self.maximumWaiting = maximumWaiting
    self.timeout = timeout
    free = max(places, 1)
  }

  /// Number of captures and files that have a slot or wait for one. Those queued in the store do not count.
  public var load: Int { places - free + waiting.count }

  /// Waits for a slot, runs `work` and releases the slot.
  ///
  /// - Throws: ``ServiceError`` with `busy` if too many callers are waiting already; the errors of `work`.
  public func atPlace<Outcome: Sendable>(_ work: @Sendable () async throws -> Outcome) async throws -> Outcome {
    if free > 0 {
      free -= 1
    } else {
      guard waiting.count < maximumWaiting else {
        throw ServiceError(
          .busy, "\(waiting.count) images are waiting for analysis already, the maximum of this server. Try again.")
      }
      // A caller that finishes passes its slot on, so that the slot is not free in between.
      await withCheckedContinuation { waiting.append($0) }
    }
    defer {
      if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
    }
    return try await work()
  }

  /// Returns the progress of a capture's analysis; `nil` unless its checks are running.
  public func progress(of capture: CaptureID) -> AnalysisProgress? {
    works.values.first { $0.capture == capture }.map { AnalysisProgress(done: Set($0.timings.keys), left: $0.missing) }
  }

  /// Returns the results of all checks on a capture. Acquire a slot first.
  ///
  /// - Parameter id: ID of the capture for ``progress(of:)``; `nil` if its progress is not queried.
  public func results(of capture: CaptureInput, for id: CaptureID? = nil) async -> DetectionResults {
    await analysis(of: capture, for: id).results
  }

  /// Returns the results, and the parts that they were assembled from, which visualizations are made of.
  func analysis(
    of capture: CaptureInput, for id: CaptureID? = nil
  ) async -> (results: DetectionResults, parts: [CaptureAnalyzer.Part]) {
    let jobs = analyzer.jobs(for: capture)
    guard !jobs.isEmpty else { return (await Self.assembled([]), []) }
    lastWork += 1
    let number = lastWork
    let deadline = clock.now() + timeout
    await withCheckedContinuation { done in
      works[number] = Work(missing: Set(jobs.map(\.group)), capture: id, deadline: deadline, done: done)
      for job in jobs {
        // Not a child task: one that never returns must not delay the others.
        Task { [clock, traces] in
          let (part, milliseconds) = await Self.run(job, by: clock, traces)
          arrived(part, of: job.group, after: milliseconds, in: number)
        }
      }
    }
    guard let work = works.removeValue(forKey: number) else { return (.unavailable(because: .tooSlow), []) }
    let late = CheckGroup.allCases.filter(work.missing.contains).map {
      CaptureAnalyzer.Part.missing($0, because: .tooSlow)
    }
    return (await Self.assembled(work.parts + late, timings: work.timings), work.parts)
  }

  /// Assembles the results on a worker thread, so that the actor can serve other calls meanwhile. The texture check is
  /// evaluated only here, and measures what no other job has measured.
  private static func assembled(
    _ parts: [CaptureAnalyzer.Part], timings: [CheckGroup: Double] = [:]
  ) async -> DetectionResults {
    await WorkerPool.shared.run { CaptureAnalyzer().assemble(parts, timings: timings) }
  }

  /// Ends every analysis that has taken too long. Call it periodically.
  public func expireAndPurge() {
    let now = clock.now()
    for (number, work) in works where now > work.deadline { resumeCaller(number) }
  }

  private static func run(
    _ job: CaptureAnalyzer.Job, by clock: any ServiceClock, _ traces: TracingContext
  ) async -> (part: CaptureAnalyzer.Part, milliseconds: Double) {
    // A span contains nothing of the capture: its name is the check that was run.
    let span = traces.beginPart(SpanName("capture.check", job.group), isCounted: false)
    let done = await WorkerPool.shared.run {
      let began = clock.now()
      return (part: job.run(), milliseconds: clock.now().since(began).inSeconds * 1000)
    }
    span?.end()
    return done
  }

  private func arrived(
    _ part: CaptureAnalyzer.Part, of group: CheckGroup, after milliseconds: Double, in number: Int
  ) {
    guard var work = works[number] else { return }
    guard clock.now() <= work.deadline else { return resumeCaller(number) }
    guard work.missing.remove(group) != nil else { return }
    work.parts.append(part)
    work.timings[group] = milliseconds
    works[number] = work
    if work.missing.isEmpty { resumeCaller(number) }
  }

  /// Resumes the waiting caller, once.
  private func resumeCaller(_ number: Int) {
    works[number]?.done?.resume()
    works[number]?.done = nil
  }
}

/// Progress of a capture's analysis.
public struct AnalysisProgress: Hashable, Sendable {
  /// Groups of checks that have finished.
  public let done: Set<CheckGroup>
  /// Groups of checks that are still running.
  public let left: Set<CheckGroup>

  public init(done: Set<CheckGroup>, left: Set<CheckGroup>) {
    self.done = done
    self.left = left
  }
}
