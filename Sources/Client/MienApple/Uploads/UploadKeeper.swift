#if canImport(ARKit) && canImport(UIKit)
  internal import BackgroundTasks
  internal import Foundation
  public import MienClient
  public import MienViewModels
  internal import Network
  internal import UIKit

  /// Sees to it that the queue of uploads goes on: when the network comes back, for a while after the app was left, and
  /// later when the system gives time.
  @MainActor public final class UploadKeeper {
    private let queue: UploadQueue
    private let network: FlowNetwork
    private let paths = NWPathMonitor()
    private var grace = UIBackgroundTaskIdentifier.invalid

    /// The name that `Info.plist` permits under `BGTaskSchedulerPermittedIdentifiers`.
    public nonisolated static let task = "org.mien.app.uploads"

    public init(queue: UploadQueue, network: FlowNetwork) {
      self.queue = queue
      self.network = network
    }

    /// Call it once, before the app has finished launching.
    public func start() {
      // Called on queues of the system's: neither may be taken for the main actor's.
      paths.pathUpdateHandler = { @Sendable [weak self] path in
        let isOnline = path.status == .satisfied
        Task { @MainActor in await self?.heard(isOnline: isOnline) }
      }
      paths.start(queue: DispatchQueue(label: "mien.paths"))
      let queue = queue
      BGTaskScheduler.shared.register(forTaskWithIdentifier: Self.task, using: nil) { @Sendable task in
        let given = GivenTime(task)
        let work = Task { given.end(await Self.run(queue)) }
        given.onExpiry { work.cancel() }
      }
      goOn()
    }

    /// Sends what waits.
    public func goOn() {
      Task { [queue] in try? await queue.run() }
    }

    /// The app was left: it goes on for as long as the system lets it, and asks for more time later.
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

    private func heard(isOnline: Bool) async {
      let isBack = isOnline && !network.isOnline
      network.isOnline = isOnline
      guard isBack else { return }
      await queue.wake()
      goOn()
    }

    private func endGrace() {
      guard grace != .invalid else { return }
      UIApplication.shared.endBackgroundTask(grace)
      grace = .invalid
    }

    /// Sends what waits, in time that may end before.
    ///
    /// - Returns: whether nothing is left.
    private nonisolated static func run(_ queue: UploadQueue) async -> Bool {
      // Asked for first: who runs out of time asks for nothing any more.
      if !(await isEmpty(queue)) { askForTime() }
      try? await queue.run()
      return await isEmpty(queue)
    }

    private nonisolated static func askForTime() {
      let options = BGProcessingTaskRequest(identifier: task)
      options.requiresNetworkConnectivity = true
      // Refused in the simulator and where the person switched it off: then it goes on when the app is opened.
      try? BGTaskScheduler.shared.submit(options)
    }

    private nonisolated static func isEmpty(_ queue: UploadQueue) async -> Bool {
      ((try? await queue.jobs()) ?? []).allSatisfy { $0.state != .waiting }
    }
  }

  /// Time that the system has given, ended once.
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
