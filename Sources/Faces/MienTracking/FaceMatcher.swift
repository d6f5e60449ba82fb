internal import Foundation
public import MienCore
internal import MienInference
public import MienPlatform
internal import MienWorkers
internal import Synchronization

/// Finds faces with a tracker pool and computes their templates on threads of its own, which all sessions share.
///
/// Without the recognition model it is created nevertheless: ``obstacles()`` reports the reason and every call is
/// rejected with it.
public final class FaceMatcher: FaceMatching {
  /// Maximum number of faces that wait for one thread; a face takes about 4 ms.
  private static let mostWaiting = 64

  private let tracker: FaceTrackerPool
  private let threads: [FaceEmbedderThread]
  private let failure: InferenceError?
  private let loads: Mutex<[Int]>

  /// Loads the model from `folder`; takes a fraction of a second.
  ///
  /// - Parameters:
  ///   - folder: folder that `scripts/install-parts` fills.
  ///   - tracker: finds the faces.
  ///   - engines: number of threads; each uses about 50 MB, and maps the weights file into memory.
  ///   - scratch: folder for the 39 MB of weights if the model has packed ones; `nil` for the system's temporary
  ///     folder. The files are removed immediately, but occupy disk space as long as the model is used.
  public init(models folder: String, tracker: FaceTrackerPool, engines: Int = 1, scratch: String? = nil) {
    self.tracker = tracker
    var failure: InferenceError?
    var made: [FaceEmbedderThread] = []
    do throws(InferenceError) {
      made = try Self.makeThreads(folder, max(engines, 1), scratch)
    } catch {
      failure = error
    }
    threads = made
    self.failure = failure
    loads = Mutex(Array(repeating: 0, count: made.count))
  }

  private static func makeThreads(
    _ folder: String, _ count: Int, _ scratch: String?
  ) throws(InferenceError) -> [FaceEmbedderThread] {
    let runtime = try InferenceRuntime()
    let folder = try EmbedderFolder(folder, scratch: scratch ?? FileManager.default.temporaryDirectory.path)
    var made: [FaceEmbedderThread] = []
    while made.count < count {
      made.append(try FaceEmbedderThread(FaceEmbedder.load(folder: folder.path, runtime: runtime)))
    }
    return made
  }

  /// Returns the reason why the recognition model in a folder cannot be used; `nil` if it can.
  public static func missingModel(in folder: String) -> UnavailableReason? {
    do throws(InferenceError) {
      _ = try makeThreads(folder, 1, nil)
      return nil
    } catch {
      return error.obstacle
    }
  }

  public func faces(in image: [UInt8], most: Int) async throws -> [FaceObservation] {
    if let failure { throw FaceTrackingError(.inference(failure)) }
    do throws(TrackingFailure) {
      return try await tracker.faces(in: image, most: most)
    } catch {
      throw FaceTrackingError(error)
    }
  }

  public func template(of face: AlignedFace) async throws -> FaceTemplate {
    if let failure { throw FaceTrackingError(.inference(failure)) }
    let (chosen, waiting) = loads.withLock { loads -> (Int?, Int) in
      guard let index = loads.indices.min(by: { loads[$0] < loads[$1] }), loads[index] < Self.mostWaiting else {
        return (nil, loads.reduce(0, +))
      }
      loads[index] += 1
      return (index, loads[index])
    }
    guard let chosen else { throw FaceTrackingError(.busy(waiting: waiting)) }
    defer { loads.withLock { $0[chosen] -= 1 } }
    do throws(InferenceError) {
      return try await threads[chosen].template(of: face)
    } catch {
      throw FaceTrackingError(.inference(error))
    }
  }

  /// The reason why the recognition model cannot be used; `nil` if it can.
  public var missingModel: UnavailableReason? { failure?.obstacle }

  public func obstacles() async -> [UnavailableReason] {
    if let failure { return [failure.obstacle] }
    return await tracker.obstacles()
  }
}

/// An embedder on a dedicated thread, so that its work never blocks the shared thread pool.
private actor FaceEmbedderThread {
  private var embedder: FaceEmbedder
  private nonisolated let executor = SerialQueueExecutor(label: "mien.face-embedder")

  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

  init(_ model: CompiledModel) throws(InferenceError) { embedder = try FaceEmbedder(model) }

  func template(of face: AlignedFace) throws(InferenceError) -> FaceTemplate { try embedder.template(of: face) }
}
