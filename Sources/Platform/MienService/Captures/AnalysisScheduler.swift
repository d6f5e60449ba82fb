public import MienAuthenticity
public import MienCore
internal import MienWorkers

/// Runs the checks over captures: a few at a time, each with its jobs side by side, none for longer than its patience.
public actor AnalysisScheduler {
  /// An analysis that is under way.
  private struct Work {
    var missing: Set<CheckGroup>
    var parts: [CaptureAnalyzer.Part] = []
    var timings: [CheckGroup: Double] = [:]
    /// Whose analysis it is, when somebody may ask how far it is.
    let capture: CaptureID?
    let deadline: MonotonicInstant
    /// Who waits for it; nil once that one may go on.
    var done: CheckedContinuation<Void, Never>?
  }

  private let analyzer = CaptureAnalyzer()
  private let jobs: @Sendable (CaptureInput) -> [CaptureAnalyzer.Job]
  /// Where analyses are written down.
  nonisolated let traces: TracingContext
  private nonisolated let clock: any ServiceClock
  private let patience: Interval
  private let places: Int
  private let maximumWaiting: Int
  private var free: Int
  /// Who waits for a place, in the order of coming.
  private var waiting: [CheckedContinuation<Void, Never>] = []
  private var works: [Int: Work] = [:]
  private var lastWork = 0

  /// - Parameters:
  ///   - places: how many captures are analysed at a time; each holds its decoded picture.
  ///   - maximumWaiting: how many may wait for a place.
  ///   - patience: what takes longer is left out of the results, as too slow.
  ///   - traces: where analyses are written down.
  ///   - jobs: the checks to run; all there are unless told otherwise.
  public init(
    clock: any ServiceClock, places: Int, maximumWaiting: Int, patience: Interval = .seconds(20),
    traces: TracingContext = .off,
    jobs: @escaping @Sendable (CaptureInput) -> [CaptureAnalyzer.Job] = { CaptureAnalyzer().jobs(for: $0) }
  ) {
    self.jobs = jobs
    self.traces = traces
    self.clock = clock
    self.places = max(places, 1)
    self.maximumWaiting = maximumWaiting
    self.patience = patience
    free = max(places, 1)
  }

  /// How many captures and files have a place here or wait for one. What waits in the store does not count.
  public var load: Int { places - free + waiting.count }

  /// Waits for a place, and gives it back afterwards.
  ///
  /// - Throws: ``ServiceError`` with `busy` when too many wait already; what `work` throws.
  public func atPlace<Outcome: Sendable>(_ work: @Sendable () async throws -> Outcome) async throws -> Outcome {
    if free > 0 {
      free -= 1
    } else {
      guard waiting.count < maximumWaiting else {
        throw ServiceError(
          .busy, "\(waiting.count) pictures wait to be analysed, the most this server takes. Try again.")
      }
      // Whoever leaves hands the place over without it being free in between.
      await withCheckedContinuation { waiting.append($0) }
    }
    defer {
      if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
    }
    return try await work()
  }

  /// How far a capture's analysis is; nil unless its checks run just now.
  public func progress(of capture: CaptureID) -> AnalysisProgress? {
    works.values.first { $0.capture == capture }.map { AnalysisProgress(done: Set($0.timings.keys), left: $0.missing) }
  }

  /// The results of all checks over a capture. Take a place first.
  ///
  /// - Parameter id: the capture that ``progress(of:)`` is asked for; nil where nobody asks.
  public func results(of capture: CaptureInput, for id: CaptureID? = nil) async -> DetectionResults {
    await analysis(of: capture, for: id).results
  }

  /// The results, and the parts they were put together from, which drawings are made of.
  func analysis(
    of capture: CaptureInput, for id: CaptureID? = nil
  ) async -> (results: DetectionResults, parts: [CaptureAnalyzer.Part]) {
    let jobs = jobs(capture)
    guard !jobs.isEmpty else { return (await Self.assembled([], by: analyzer), []) }
    lastWork += 1
    let number = lastWork
    let deadline = clock.now() + patience
    await withCheckedContinuation { done in
      works[number] = Work(missing: Set(jobs.map(\.group)), capture: id, deadline: deadline, done: done)
      for job in jobs {
        // Not a child: one that never comes back must not hold up the others.
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
    return (await Self.assembled(work.parts + late, timings: work.timings, by: analyzer), work.parts)
  }

  /// On a worker: texture is judged only here, and measures then what no other check brought. Meanwhile the desk has to
  /// take and let go of others.
  private static func assembled(
    _ parts: [CaptureAnalyzer.Part], timings: [CheckGroup: Double] = [:], by analyzer: CaptureAnalyzer
  ) async -> DetectionResults {
    await WorkerPool.shared.run { analyzer.assemble(parts, timings: timings) }
  }

  /// Gives up what has taken too long; call it now and then.
  public func expireAndPurge() {
    let now = clock.now()
    for (number, work) in works where now > work.deadline { leave(number) }
  }

  private static func run(
    _ job: CaptureAnalyzer.Job, by clock: any ServiceClock, _ traces: TracingContext
  ) async -> (part: CaptureAnalyzer.Part, milliseconds: Double) {
    // Of what is looked at nothing goes into a span: its name says what was run.
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
    guard clock.now() <= work.deadline else { return leave(number) }
    guard work.missing.remove(group) != nil else { return }
    work.parts.append(part)
    work.timings[group] = milliseconds
    works[number] = work
    if work.missing.isEmpty { leave(number) }
  }

  /// Lets the waiter go, once.
  private func leave(_ number: Int) {
    works[number]?.done?.resume()
    works[number]?.done = nil
  }
}
