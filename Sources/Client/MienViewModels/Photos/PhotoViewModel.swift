public import Observation

/// Photo taken with the camera and stored on disk.
public struct CapturedPhoto: Hashable, Sendable, Identifiable {
  /// ID assigned by the device.
  public var id: String
  /// Path of the photo relative to the app's folder.
  public var path: String
  /// `true` if a face was detected; `nil` if detection was not performed.
  public var hasFace: Bool?

  public init(id: String, path: String, hasFace: Bool? = nil) {
    self.id = id
    self.path = path
    self.hasFace = hasFace
  }
}

/// Signature of a photo: parts of its capture.
public struct PhotoSignature: Hashable, Sendable {
  /// Bytes of the part `signature`.
  public var signature: [UInt8]
  /// Bytes of the part `assertion`; `nil` if the platform provides no attestation of the app.
  public var assertion: [UInt8]?

  public init(signature: [UInt8], assertion: [UInt8]? = nil) {
    self.signature = signature
    self.assertion = assertion
  }
}

/// Interface to the device for taking, analyzing, signing and sending photos.
public protocol PhotoCapturing: Sendable {
  func permission() async -> CameraPermission
  func ask() async -> CameraPermission
  /// Takes a photo, with depth if the device measures it.
  func take() async throws -> CapturedPhoto
  /// Returns the result of the on-device checks: the bytes of the part `detection` (Documentation/guides/Captures.md).
  func analyze(_ photo: CapturedPhoto) async throws -> [UInt8]
  /// Signs the digests of all parts.
  func sign(_ photo: CapturedPhoto, detection: [UInt8]?) async throws -> PhotoSignature
  /// Sends the capture.
  ///
  /// - Returns: the capture's ID on the server.
  func send(_ photo: CapturedPhoto, detection: [UInt8]?, keyring: PhotoSignature?) async throws -> String
  func discard(_ photo: CapturedPhoto) async
  /// Reports whether the photo's file is still there.
  func exists(_ photo: CapturedPhoto) async -> Bool
}

extension PhotoCapturing {
  public func exists(_ photo: CapturedPhoto) async -> Bool { true }
}

/// Photo that has not been sent.
private struct SavedPhoto: Codable {
  var id: String
  var path: String
  var hasFace: Bool?

  init(_ photo: CapturedPhoto) {
    (id, path, hasFace) = (photo.id, photo.path, photo.hasFace)
  }

  var taken: CapturedPhoto { CapturedPhoto(id: id, path: path, hasFace: hasFace) }
}

/// View model for taking a verifiable photo: taken, analyzed, signed, ready, sent.
///
/// The results of the device are evidence that accompanies the photo, not a requirement: if the analysis or the
/// signature fails, the photo is sent without it.
@MainActor @Observable public final class PhotoViewModel {
  public enum State: Hashable, Sendable {
    /// Next: `taking`.
    case aiming
    /// Next: `analyzing` or `problem`.
    case taking
    /// Next: always `ready`.
    case analyzing(CapturedPhoto)
    /// Ready for review. Next: `sending`, or `aiming`.
    case ready(CapturedPhoto)
    /// Next: `sent` or `problem`.
    case sending(CapturedPhoto)
    /// Sent, with the capture's ID on the server. Next: `aiming`.
    case sent(String)
    case problem(ViewError)
  }

  public private(set) var state = State.aiming
  /// `true` if the detection result is sent with the photo.
  public private(set) var hasDetection = false
  public private(set) var hasSignature = false
  /// `true` if the platform's assertion is sent with the photo.
  public private(set) var hasAssertion = false

  private let capture: any PhotoCapturing
  private let effects: EffectHandler
  private let network: FlowNetwork
  private let analyzes: @MainActor () -> Bool
  private let memory: PreferencesStore?
  private var photo: CapturedPhoto?
  private var detection: [UInt8]?
  private var keyring: PhotoSignature?

  /// - Parameters:
  ///   - capture: the camera.
  ///   - network: requests to the server.
  ///   - effects: performs what concerns the device, such as sounds.
  ///   - store: remembers a photo that has not been sent, so that a restarted app still has it; `nil` remembers nothing.
  ///   - analyzes: returns `true` to run the on-device checks, as chosen by the user.
  public init(
    capture: any PhotoCapturing, network: FlowNetwork, effects: EffectHandler, store: (any FlowStore)? = nil,
    analyzes: @escaping @MainActor () -> Bool = { true }
  ) {
    self.capture = capture
    memory = store.map(PreferencesStore.init)
    self.network = network
    self.effects = effects
    self.analyzes = analyzes
  }

  /// Takes a photo and prepares it for sending.
  public func take() async {
    guard state == .aiming else { return }
    state = .taking
    do {
      var permission = await capture.permission()
      if permission == .notDetermined { permission = await capture.ask() }
      guard permission == .granted else { throw ViewError.cameraRefused }
      let photo = try await capture.take()
      effects.feel(.step)
      try? memory?.save("photo", SavedPhoto(photo))
      await prepare(photo)
    } catch {
      fail(error)
    }
  }

  /// Continues with a photo that was taken before the app was ended and has not been sent.
  public func restore() async {
    guard state == .aiming, photo == nil, let saved: SavedPhoto = memory?.read("photo") else { return }
    guard await capture.exists(saved.taken) else {
      try? memory?.save("photo", SavedPhoto?.none)
      return
    }
    await prepare(saved.taken)
  }

  private func prepare(_ photo: CapturedPhoto) async {
    self.photo = photo
    state = .analyzing(photo)
    detection = analyzes() ? try? await capture.analyze(photo) : nil
    guard state == .analyzing(photo) else { return }
    keyring = try? await capture.sign(photo, detection: detection)
    guard state == .analyzing(photo) else { return }
    (hasDetection, hasSignature, hasAssertion) = (detection != nil, keyring != nil, keyring?.assertion != nil)
    state = .ready(photo)
  }

  /// Results of the on-device checks as JSON text, for a preview in debug builds; `nil` without results.
  public var detectionText: String? { detection.map { String(decoding: $0, as: UTF8.self) } }

  /// Sends the photo.
  public func send() async {
    guard case .ready(let photo) = state else { return }
    state = .sending(photo)
    do {
      let id = try await capture.send(photo, detection: detection, keyring: keyring)
      guard state == .sending(photo) else { return }
      await capture.discard(photo)
      clear(.sent(id))
      effects.feel(.success)
    } catch {
      fail(error)
    }
  }

  /// Discards the photo to take another one.
  public func retake() async {
    let photo = photo
    clear(.aiming)
    if let photo { await capture.discard(photo) }
  }

  /// Returns from an error to the existing photo, or to the camera if there is none.
  public func again() {
    guard case .problem = state else { return }
    state = photo.map(State.ready) ?? .aiming
  }

  private func clear(_ state: State) {
    (photo, detection, keyring) = (nil, nil, nil)
    (hasDetection, hasSignature, hasAssertion) = (false, false, false)
    try? memory?.save("photo", SavedPhoto?.none)
    self.state = state
  }

  private func fail(_ error: any Error) {
    state = .problem(network.problem(error))
    effects.feel(.failure)
  }
}
