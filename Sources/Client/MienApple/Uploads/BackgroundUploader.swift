#if canImport(ARKit) && canImport(UIKit)
  internal import BackgroundTasks
  internal import Foundation
  public import MienClient
  public import MienViewModels
  internal import Network
  internal import UIKit

  /// Continues the upload queue when the network becomes available, for a while after the app enters the background,
  /// and in background tasks.
  @MainActor public final class BackgroundUploader {
    private let queue: UploadQueue
    private let network: FlowNetwork
    private let paths = NWPathMonitor()
    private var grace = UIBackgroundTaskIdentifier.invalid

    /// Task identifier, listed in `Info.plist` under `BGTaskSchedulerPermittedIdentifiers`.
    public nonisolated static let task = "org.mien.app.uploads"

    public init(queue: UploadQueue, network: FlowNetwork) {
      self.queue = queue
      self.network = network
    }

    /// Starts monitoring. Call it once, before the app has finished launching.
    public func start() {
      // Both closures are called on system queues and must not inherit main actor isolation.
      paths.pathUpdateHandler = { @Sendable [weak self] path in
        let isOnline = path.status == .satisfied
        Task { @MainActor in await self?.received(isOnline: isOnline) }
      }
      paths.start(queue: DispatchQueue(label: "mien.paths"))
      let queue = queue
      BGTaskScheduler.shared.register(forTaskWithIdentifier: Self.task, using: nil) { @Sendable task in
        let given = GivenTime(task)
        let work = Task { given.end(await Self.run(queue)) }
        given.onExpiry { work.cancel() }
      }
      proceed()
    }

    /// Sends the waiting jobs.
    public func proceed() {
      Task { [queue] in try? await queue.run() }
    }

    /// Continues in the background for as long as the system allows, and schedules a background task for later.
    public func left() {
      if grace == .invalid {
        grace = UIApplication.shared.beginBackgroundTask(withName: Self.task) { [weak self] in
          MainActor.assumeIsolated { self?.endGrace() }
        }
      }
      Task { [queue] in
        _ = await Self.run(queue)
        endGrace()
      }
    }

    private func received(isOnline: Bool) async {
      let isBack = isOnline && !network.isOnline
      network.isOnline = isOnline
      guard isBack else { return }
      await queue.wake()
      proceed()
    }

    private func endGrace() {
      guard grace != .invalid else { return }
      UIApplication.shared.endBackgroundTask(grace)
      grace = .invalid
    }

    /// Sends the waiting jobs within a limited time.
    ///
    /// - Returns: `true` if no job is waiting.
    private nonisolated static func run(_ queue: UploadQueue) async -> Bool {
      // Scheduled first, because nothing can be scheduled after the time has expired.
      if !(await isEmpty(queue)) { askForTime() }
      try? await queue.run()
      return await isEmpty(queue)
    }

    private nonisolated static func askForTime() {
      let options = BGProcessingTaskRequest(identifier: task)
      options.requiresNetworkConnectivity = true
      // Fails in the simulator and if the user disabled it: uploads then continue when the app is opened.
      try? BGTaskScheduler.shared.submit(options)
    }

    private nonisolated static func isEmpty(_ queue: UploadQueue) async -> Bool {
      ((try? await queue.jobs()) ?? []).allSatisfy { $0.state != .waiting }
    }
  }

  /// Background task that is completed once.
  private final class GivenTime: @unchecked Sendable {
    private let lock = NSLock()
    private var task: BGTask?

    init(_ task: BGTask) {
      self.task = task
    }

    func onExpiry(_ work: @escaping @Sendable () -> Void) {
      lock.withLock {
        task?.expirationHandler = {
          work()
          self.end(false)
        }
      }
    }

    func end(_ success: Bool) {
      let task = lock.withLock {
        defer { self.task = nil }
        return self.task
      }
      task?.setTaskCompleted(success: success)
    }
  }
#endif
