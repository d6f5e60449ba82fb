public import Observation

/// A photograph as the camera gave it, with what belongs to it on disk.
public struct CapturedPhoto: Hashable, Sendable, Identifiable {
  /// A name of the device's.
  public var id: String
  /// Where the photograph is: a path within the app's own folder.
  public var path: String
  /// Whether a face was seen in it; nil when nobody looked.
  public var hasFace: Bool?

  public init(id: String, path: String, hasFace: Bool? = nil) {
    self.id = id
    self.path = path
    self.hasFace = hasFace
  }
}

/// What vouches for a photograph: parts of its capture.
public struct PhotoSignature: Hashable, Sendable {
  /// The bytes of the part `signature`.
  public var signature: [UInt8]
  /// The bytes of the part `assertion`; nil where the platform does not say of the app that it is genuine.
  public var assertion: [UInt8]?

  public init(signature: [UInt8], assertion: [UInt8]? = nil) {
    self.signature = signature
    self.assertion = assertion
  }
}

/// What takes, analyses, signs and sends photographs; the device's.
public protocol PhotoCapturing: Sendable {
  func permission() async -> CameraPermission
  func ask() async -> CameraPermission
  /// Takes a photograph, with depth where the device measures it.
  func take() async throws -> CapturedPhoto
  /// What the device's own checks find: the bytes of the part `detection` (Documentation/Captures.md).
  func analyze(_ photo: CapturedPhoto) async throws -> [UInt8]
  /// Signs the digests of all parts.
  func sign(_ photo: CapturedPhoto, detection: [UInt8]?) async throws -> PhotoSignature
  /// Sends the capture.
  ///
  /// - Returns: its id on the server.
  func send(_ photo: CapturedPhoto, detection: [UInt8]?, keyring: PhotoSignature?) async throws -> String
  func discard(_ photo: CapturedPhoto) async
}

/// Taking a photograph that a server shall believe: taken, analysed, signed, ready, sent.
///
/// What the device finds out is evidence beside the photograph, never a condition: when an analysis or a signature fails,
/// the photograph goes on without.
@MainActor @Observable public final class PhotoViewModel {
  public enum State: Hashable, Sendable {
    /// Goes to `taking`.
    case aiming
    /// Goes to `analysing` or `troubled`.
    case taking
    /// Goes to `ready`, always.
    case analyzing(CapturedPhoto)
    /// To be looked at. Goes to `sending`, or to `aiming`.
    case ready(CapturedPhoto)
    /// Goes to `sent` or `troubled`.
    case sending(CapturedPhoto)
    /// The capture's id on the server. Goes to `aiming`.
    case sent(String)
    case troubled(ViewError)
  }

  public private(set) var state = State.aiming
  /// What goes with the photograph.
  public private(set) var hasDetection = false
  public private(set) var hasSignature = false
  /// Whether the platform's word on the app goes with it.
  public private(set) var hasAssertion = false

  private let studio: any PhotoCapturing
  private let stage: EffectHandler
  private let network: FlowNetwork
  private let analyzes: Bool
  private var photo: CapturedPhoto?
  private var detection: [UInt8]?
  private var keyring: PhotoSignature?

  /// - Parameter analyses: whether the device's own checks run; on unless a setting says otherwise.
  public init(studio: any PhotoCapturing, network: FlowNetwork, stage: EffectHandler, analyzes: Bool = true) {
    self.studio = studio
    self.network = network
    self.stage = stage
    self.analyzes = analyzes
  }

  /// Takes a photograph and makes it ready.
  public func take() async {
    guard state == .aiming else { return }
    state = .taking
    do {
      var permission = await studio.permission()
      if permission == .unasked { permission = await studio.ask() }
      guard permission == .granted else { throw ViewError.cameraRefused }
      let photo = try await studio.take()
      stage.feel(.step)
      self.photo = photo
      state = .analyzing(photo)
      detection = analyzes ? try? await studio.analyze(photo) : nil
      guard state == .analyzing(photo) else { return }
      keyring = try? await studio.sign(photo, detection: detection)
      guard state == .analyzing(photo) else { return }
      (hasDetection, hasSignature, hasAssertion) = (detection != nil, keyring != nil, keyring?.assertion != nil)
      state = .ready(photo)
    } catch {
      fail(error)
    }
  }

  /// Sends the photograph.
  public func send() async {
    guard case .ready(let photo) = state else { return }
    state = .sending(photo)
    do {
      let id = try await studio.send(photo, detection: detection, keyring: keyring)
      guard state == .sending(photo) else { return }
      await studio.discard(photo)
      clear(.sent(id))
      stage.feel(.success)
    } catch {
      fail(error)
    }
  }

  /// Another photograph instead; this one is let go.
  public func retake() async {
    let photo = photo
    clear(.aiming)
    if let photo { await studio.discard(photo) }
  }

  /// After something did not work: a photograph that is there is not taken again.
  public func again() {
    guard case .troubled = state else { return }
    state = photo.map(State.ready) ?? .aiming
  }

  private func clear(_ state: State) {
    (photo, detection, keyring) = (nil, nil, nil)
    (hasDetection, hasSignature, hasAssertion) = (false, false, false)
    self.state = state
  }

  private func fail(_ error: any Error) {
    state = .troubled(network.trouble(error))
    stage.feel(.failure)
  }
}
