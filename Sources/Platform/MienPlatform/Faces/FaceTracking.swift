public import MienCore

/// The state of a session that a face tracker carries from one frame to the next. Only the tracker that made it reads
/// it.
public struct FaceTrack: Sendable {
  /// The tracker's own value.
  public let state: any Sendable

  public init(_ state: any Sendable) { self.state = state }
}

extension FaceTrack: CustomStringConvertible, CustomReflectable {
  public var description: String { "FaceTrack(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Detects and tracks faces in encoded images; the service's interface to a tracker.
///
/// The state of a session is a small value, so that one pool of models serves all sessions.
public protocol FaceTracking: Sendable {
  /// Returns the state of a session without any frames.
  func newTrack() -> FaceTrack

  /// Decodes `frame`, detects a face and tracks it.
  ///
  /// - Parameter session: determines the share of the models that is used, and the maximum size of the frame.
  /// - Returns: the observation, the track for the next frame, and the processing time without the time spent waiting.
  /// - Throws: ``FaceTrackingError``; the caller's track remains valid then.
  func observe(_ frame: EncodedFrame, after track: FaceTrack, in session: FrameSession) async throws
    -> (observation: FaceObservation, track: FaceTrack, took: Interval)

  /// Returns the reasons why the tracker is not ready; empty if it is.
  func obstacles() async -> [UnavailableReason]
}

extension FaceTracking {
  /// Analyzes a frame of a file, for offline tools.
  public func observe(
    _ frame: EncodedFrame, after track: FaceTrack
  ) async throws -> (observation: FaceObservation, track: FaceTrack, took: Interval) {
    try await observe(frame, after: track, in: .files)
  }
}

/// The reason why a frame could not be analyzed. Errors with the same code are equal.
public struct FaceTrackingError: Error, Hashable, Sendable, CustomStringConvertible {
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    fileprivate enum Kind: String {
      case notAImage = "notAnImage", imageTooLarge = "imageTooLarge", modelUnavailable, busy
    }
    fileprivate let kind: Kind
    /// The data is not an image of a supported format, or it is truncated or corrupt.
    public static let notAImage = Code(kind: .notAImage)
    /// The header declares more pixels than the limit; nothing was decoded.
    public static let imageTooLarge = Code(kind: .imageTooLarge)
    /// A model file or the runtime is missing; ``FaceTrackingError/obstacle`` names it.
    public static let modelUnavailable = Code(kind: .modelUnavailable)
    /// Too many frames are waiting already; retry shortly.
    public static let busy = Code(kind: .busy)
    public var description: String { kind.rawValue }
  }

  public let code: Code
  /// Description of the error and of the remedy; contains nothing from the image.
  public let reason: String
  /// Set for ``Code/modelUnavailable``.
  public let obstacle: UnavailableReason?

  public init(_ code: Code, reason: String, obstacle: UnavailableReason? = nil) {
    self.code = code
    self.reason = reason
    self.obstacle = obstacle
  }

  public static func == (left: FaceTrackingError, right: FaceTrackingError) -> Bool { left.code == right.code }
  public func hash(into hasher: inout Hasher) { hasher.combine(code) }
  public var description: String { "\(code): \(reason)" }
}

extension ServiceError {
  /// Maps the reason why a frame could not be analyzed to the error that the client receives.
  package init(_ error: FaceTrackingError) {
    let code: Code =
      switch error.code {
      case .notAImage: .notAImage
      case .imageTooLarge: .imageTooLarge
      case .modelUnavailable: .modelUnavailable
      default: .busy
      }
    self.init(code, error.reason)
  }
}

/// A face tracker that retries while all models are busy: live checks have priority, and a scan is processed only once.
public struct RetryingFaceTracker: FaceTracking {
  private let observer: any FaceTracking
  private let tries: Int
  private let pause: @Sendable () async throws -> Void

  /// - Parameters:
  ///   - tries: maximum number of attempts while all models are busy; at least one.
  ///   - pause: waits before the next attempt. An error thrown by it ends the waiting.
  public init(_ observer: any FaceTracking, tries: Int, pause: @escaping @Sendable () async throws -> Void) {
    self.observer = observer
    self.tries = tries
    self.pause = pause
  }

  public func newTrack() -> FaceTrack { observer.newTrack() }

  public func observe(
    _ frame: EncodedFrame, after track: FaceTrack, in session: FrameSession
  ) async throws -> (observation: FaceObservation, track: FaceTrack, took: Interval) {
    var left = tries
    while true {
      do {
        return try await observer.observe(frame, after: track, in: session)
      } catch let error as FaceTrackingError where error.code == .busy {
        left -= 1
        guard left > 0 else { throw error }
        try await pause()
      }
    }
  }

  public func obstacles() async -> [UnavailableReason] { await observer.obstacles() }
}
