import Foundation
import MienAPI
import MienApple
import MienClient
import MienCore
import MienViewModels
import Testing

/// The phone's flows against a guarded server: sign-in, enrollment by depth, the depth window, and killed apps.
@MainActor extension LiveServerTests {
  private static let password = "correct horse battery staple"

  /// Server that accepts what devices claim, with one account.
  private func guarded() throws -> LiveServer {
    let server = try LiveServer(
      try #require(Place.program), arguments: ["--default-assurance", "basic", "--allow-claimed-observations"])
    try server.addUser("anna", password: Self.password)
    return server
  }

  private func network(_ server: LiveServer) -> FlowNetwork { FlowNetwork(server: server.address) }

  @Test func `a guarded server refuses the phone until somebody signs in, also after the app was killed`() async throws
  {
    let server = try guarded()
    defer { server.cutPower() }
    let store = SecretStore()
    let network = network(server)
    let account = AccountViewModel(network: network, store: store)
    func check(_ network: FlowNetwork) -> CheckViewModel {
      let credentials = network.credentials
      return CheckViewModel(
        network: network, camera: HeadCamera(frames: [], depth: []), effects: EffectHandler(),
        session: .asked { _ in
          let made = try await AccountClient(server: server.address, credentials: credentials).create(
            .onDevice(person: nil, measuresDepth: true))
          return CheckSession(id: made.id, token: made.token)
        })
    }
    let refused = check(network)
    await refused.begin()
    #expect(refused.state == .problem(.signedOut))
    await account.signIn(name: "anna", password: "a wrong password")
    #expect(account.state == .signedOut && account.problem?.code == "wrong-password")
    await account.signIn(name: "anna", password: Self.password)
    #expect(account.state == .signedIn("anna"), "\(String(describing: account.problem))")
    // The next app has only the keychain.
    let later = self.network(server)
    #expect(AccountViewModel(network: later, store: store).isSignedIn)
    let allowed = check(later)
    await allowed.begin()
    // The check was created; this camera has no frames.
    #expect(allowed.state == .problem(.cameraLost))
    #expect(try await server.backend.result(of: try #require(allowed.data?.sessionId)).state == "open")
    // The session ends on the server; the phone notices at its next request.
    await account.signOut()
    let lost = AccountViewModel(network: later, store: store)
    let late = check(later)
    await late.begin()
    #expect(late.state == .problem(.signedOut) && later.credentials.current == nil)
    #expect(!lost.isSignedIn)
  }

  @Test func `a face is enrolled on the phone by depth, and a flat one is not`() async throws {
    let server = try guarded()
    defer { server.cutPower() }
    let network = network(server)
    let account = AccountViewModel(network: network, store: SecretStore())
    await account.signIn(name: "anna", password: Self.password)
    let flat = EnrollmentViewModel(
      network: network, camera: HeadCamera(frames: [], depth: (0..<5).map { SyntheticHead.capture($0, flat: true) }),
      effects: EffectHandler())
    await flat.begin(person: "p-1")
    guard case .problem(let problem) = flat.state else {
      Issue.record("\(flat.state)")
      return
    }
    #expect(problem.code == "not-assessed")
    let enrollment = EnrollmentViewModel(
      network: network, camera: HeadCamera(frames: [], depth: (0..<5).map { SyntheticHead.capture($0) }),
      effects: EffectHandler())
    await enrollment.begin(person: "p-1")
    #expect(enrollment.state == .done(EnrollmentResponse(person: "p-1", version: 1, captures: 5)))
  }

  @Test func `an enrollment that the server did not survive passes in the next app`() async throws {
    let first = try guarded()
    let store = SecretStore()
    let network = network(first)
    await AccountViewModel(network: network, store: store).signIn(name: "anna", password: Self.password)
    let faces = (0..<5).map { SyntheticHead.capture($0) }
    let client = AccountClient(server: first.address, credentials: network.credentials)
    let broken = EnrollmentViewModel(
      network: network, camera: HeadCamera(frames: [], depth: faces), effects: EffectHandler(),
      deliver: { person, captures in
        // All captures are taken, and none has arrived.
        try first.crash()
        return try await client.enroll(person, depth: captures)
      })
    await broken.begin(person: "p-1")
    #expect(broken.state == .problem(.unreachable), "\(broken.state)")
    let server = try first.restarted()
    defer { server.cutPower() }
    // The next app has only the keychain.
    let later = self.network(server)
    #expect(AccountViewModel(network: later, store: store).isSignedIn)
    let enrollment = EnrollmentViewModel(
      network: later, camera: HeadCamera(frames: [], depth: faces), effects: EffectHandler())
    await enrollment.begin(person: "p-1")
    #expect(enrollment.state == .done(EnrollmentResponse(person: "p-1", version: 1, captures: 5)))
  }

  @Test func `a message locked and opened with the device's tracker needs no frames`() async throws {
    let server = try guarded()
    defer { server.cutPower() }
    let network = network(server)
    let account = AccountViewModel(network: network, store: SecretStore())
    await account.signIn(name: "anna", password: Self.password)
    let store = SecretStore()
    let faces: [BlendshapeName?] = [nil, .tongueOut, nil, .mouthPucker, nil, .tongueOut, nil]
    // An app that is killed while it records has locked nothing, and the next one has the text.
    let killed = EncodeViewModel(
      network: network, camera: TrackedCamera(faces: faces), effects: EffectHandler(),
      profile: ProfileViewModel(store: store), store: store)
    killed.text = "with tongue"
    let recording = Task { await killed.lock() }
    while killed.state == .entering { try await Task.sleep(for: .milliseconds(5)) }
    killed.cancel()
    await recording.value
    #expect(ProfileViewModel(store: store).messages.isEmpty)
    let message = try await BusyMachine.repeated { _ -> BusyMachine.Outcome<MessageResponse> in
      let encode = EncodeViewModel(
        network: network, camera: TrackedCamera(faces: faces), effects: EffectHandler(),
        profile: ProfileViewModel(store: store), store: store)
      #expect(encode.text == "with tongue")
      encode.steps = 3
      await encode.lock()
      guard case .sharing(let message) = encode.state, encode.performed == ["tongue_out", "smooch", "tongue_out"] else {
        return .again(because: "\(encode.state) after \(encode.performed)")
      }
      return .done(message)
    }
    #expect(!message.requiresFrames)
    try await BusyMachine.repeated { _ -> BusyMachine.Outcome<Void> in
      // A killed app: the friend's app has only the list of known messages.
      let decode = DecodeViewModel(
        network: self.network(server), camera: TrackedCamera(faces: faces), effects: EffectHandler(),
        profile: ProfileViewModel(store: store))
      let known = try #require(decode.known.first)
      await decode.choose(text: known.number)
      await decode.perform()
      guard case .revealed(let text, let viewsLeft) = decode.state else { return .again(because: "\(decode.state)") }
      #expect(text == "with tongue" && viewsLeft == nil)
      return .done(())
    }
  }

  @Test func `a photo that was not sent before the app was killed is sent by the next one`() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("mien-photo-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = SecretStore()
    let picture = try Footage.faceless(1)[0]
    let capture = FilePhotoCapture(
      picture: picture, folder: folder,
      client: CaptureClient(server: server.address, credentials: APICredentials(.bearer(server.key))))
    let first = PhotoViewModel(capture: capture, network: network(server), effects: EffectHandler(), store: store)
    await first.take()
    guard case .ready(let photo) = first.state else {
      Issue.record("\(first.state)")
      return
    }
    let second = PhotoViewModel(capture: capture, network: network(server), effects: EffectHandler(), store: store)
    await second.restore()
    #expect(second.state == .ready(photo) && second.hasDetection)
    await second.send()
    guard case .sent(let id) = second.state else {
      Issue.record("\(second.state)")
      return
    }
    #expect(try await storedCapture(of: id).summary.isEmpty == false)
    // Nothing is left for a third one.
    let third = PhotoViewModel(capture: capture, network: network(server), effects: EffectHandler(), store: store)
    await third.restore()
    #expect(third.state == .aiming)
  }
}

/// In-memory substitute for the keychain and the app's folder.
private final class SecretStore: FlowStore, @unchecked Sendable {
  private let lock = NSLock()
  private var values: [String: [UInt8]] = [:]

  func read(_ name: String) -> [UInt8]? { lock.withLock { values[name] } }
  func write(_ name: String, _ value: [UInt8]?) { lock.withLock { values[name] = value } }
}

/// Camera with frames and depth captures, which come five times a second.
private struct HeadCamera: FlowCamera {
  let frames: [[UInt8]]
  let depth: [[UInt8]]

  var measuresDepth: Bool { true }
  func permission() async -> CameraPermission { .granted }
  func ask() async -> CameraPermission { .granted }
  func open() async throws -> any FrameSource { Source(frames: frames, depth: depth) }

  private actor Source: FrameSource {
    private let camera: PlayedCamera
    private var depth: [[UInt8]]
    private let clock = MonotonicClock()

    init(frames: [[UInt8]], depth: [[UInt8]]) {
      camera = PlayedCamera(frames, rate: 12)
      self.depth = depth
    }

    func next() async throws -> EncodedFrame? { try await camera.next() }
    func nextDepth() async -> [UInt8]? {
      try? await clock.sleep(for: .milliseconds(200))
      return depth.isEmpty ? nil : depth.removeFirst()
    }
    func close() async { await camera.close() }
  }
}

/// Camera of a device with a face tracker that sees a sequence of expressions, 1.2 s each; `nil` is the relaxed face.
private struct TrackedCamera: FlowCamera {
  let faces: [BlendshapeName?]

  func permission() async -> CameraPermission { .granted }
  func ask() async -> CameraPermission { .granted }
  func open() async throws -> any FrameSource { throw ViewError.cameraAbsent }

  func openTracker() async throws -> (any ObservationSource)? {
    let buffer = ObservationLineBuffer()
    let faces = faces
    Task {
      let clock = MonotonicClock()
      let began = clock.now()
      for face in faces {
        for _ in 0..<24 {
          try await clock.sleep(for: .milliseconds(50))
          var shapes = Blendshapes()
          for name in BlendshapeName.allCases { shapes[name] = name == face ? 0.9 : 0.02 }
          buffer.offer(
            ClientObservation(
              at: .zero + clock.now().since(began), faceCount: 1,
              box: FaceBox(x: 0.3, y: 0.3, width: 0.4, height: 0.4), pose: HeadPose(yaw: 0, pitch: 0, roll: 0),
              blendshapes: shapes))
        }
      }
      buffer.finish()
    }
    return buffer
  }
}

/// Photo capture with a file in the place of a camera.
private struct FilePhotoCapture: PhotoCapturing {
  let picture: [UInt8]
  let folder: URL
  let client: CaptureClient

  func permission() async -> CameraPermission { .granted }
  func ask() async -> CameraPermission { .granted }
  func take() async throws -> CapturedPhoto {
    try Data(picture).write(to: folder.appendingPathComponent("p.jpg"))
    return CapturedPhoto(id: "p", path: "p.jpg")
  }
  func analyze(_ photo: CapturedPhoto) async throws -> [UInt8] { Array("{\"checks\": []}".utf8) }
  func sign(_ photo: CapturedPhoto, detection: [UInt8]?) async throws -> PhotoSignature { throw ViewError.unreachable }
  func send(_ photo: CapturedPhoto, detection: [UInt8]?, keyring: PhotoSignature?) async throws -> String {
    let bytes = Array(try Data(contentsOf: folder.appendingPathComponent(photo.path)))
    let metadata = CaptureMetadata.encoded(capturedAt: 1_767_225_600_000, detection: detection)
    return try await client.send(
      CaptureUploadForm(photo: bytes, metadata: metadata, detection: detection), signature: nil)
  }
  func discard(_ photo: CapturedPhoto) async {
    try? FileManager.default.removeItem(at: folder.appendingPathComponent(photo.path))
  }
  func exists(_ photo: CapturedPhoto) async -> Bool {
    FileManager.default.fileExists(atPath: folder.appendingPathComponent(photo.path).path)
  }
}
