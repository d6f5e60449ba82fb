#if canImport(ARKit) && canImport(UIKit)
  public import Foundation
  internal import MienAuthenticity
  internal import MienClient
  public import MienFlows
  internal import MienImaging

  /// Takes, analyses, signs and sends photographs.
  public struct PhonePhotoStudio: PhotoStudio {
    private let camera: DepthCamera
    private let key: EnclaveKey
    private let registrar: DeviceRegistrar
    private let desk: CaptureDesk
    private let folder: URL
    private let clock: @Sendable () -> Int64

    /// - Parameters:
    ///   - registrar: of the same key, at the same server.
    ///   - folder: the app's own.
    ///   - clock: milliseconds since 1970 on the device's clock, which a server takes as the sender's word.
    public init(
      camera: DepthCamera, key: EnclaveKey, registrar: DeviceRegistrar, desk: CaptureDesk, folder: URL,
      clock: @escaping @Sendable () -> Int64
    ) {
      self.camera = camera
      self.key = key
      self.registrar = registrar
      self.desk = desk
      self.folder = folder
      self.clock = clock
    }

    public func permission() async -> CameraPermission { CameraAccess.permission }
    public func ask() async -> CameraPermission { await CameraAccess.ask() }

    public func take() async throws -> TakenPhoto {
      let shot = try await camera.shoot()
      // Apple's service takes its time: a capture that goes before it has answered is signed all the same.
      Task { await registrar.vouch() }
      let id = "capture-\(UUID().uuidString)"
      do {
        try Data(shot.photo).write(to: place(id, "jpg"), options: .atomic)
        if let depth = shot.depth { try Data(depth).write(to: place(id, "depth"), options: .atomic) }
        try Data("{\"captured_at_ms\":\(clock())}".utf8).write(to: place(id, "json"), options: .atomic)
      } catch {
        throw FlowTrouble.lowStorage
      }
      return TakenPhoto(id: id, path: "\(id).jpg")
    }

    @concurrent public func analyse(_ photo: TakenPhoto) async throws -> [UInt8] {
      guard let frame = PixelBytes.frame(try letter(photo).photo) else { throw FlowTrouble.fileMissing }
      let results = SceneAnalyser().analyse(SceneCapture(picture: PlanarPicture(frame)))
      return Array(try JSONEncoder().encode(results))
    }

    public func sign(_ photo: TakenPhoto, detection: [UInt8]?) async throws -> PhotoSeal {
      let letter = try letter(photo, detection)
      let counter = try await key.nextCounter()
      let lines = letter.lines(device: key.device, counter: counter, digest: Digests.hexadecimal)
      let part = try letter.signaturePart(
        device: key.device, counter: counter, signature: try await key.sign(lines), digest: Digests.hexadecimal)
      return PhotoSeal(signature: part, assertion: await registrar.assertion(over: lines))
    }

    public func send(_ photo: TakenPhoto, detection: [UInt8]?, seal: PhotoSeal?) async throws -> String {
      // The server knows a device before its first capture; the same key again changes nothing there. Where that fails the
      // capture goes all the same, and says that its device is unknown.
      if seal != nil { try? await registrar.register() }
      return try await desk.send(
        try letter(photo, detection), signature: seal?.signature, assertion: seal?.assertion)
    }

    public func discard(_ photo: TakenPhoto) async {
      for end in ["jpg", "depth", "json"] { try? FileManager.default.removeItem(at: place(photo.id, end)) }
    }

    private func letter(_ photo: TakenPhoto, _ detection: [UInt8]? = nil) throws -> CaptureLetter {
      guard let picture = try? Data(contentsOf: place(photo.id, "jpg")) else { throw FlowTrouble.fileMissing }
      func part(_ end: String) -> [UInt8]? { (try? Data(contentsOf: place(photo.id, end))).map { Array($0) } }
      return CaptureLetter(
        photo: Array(picture), depth: part("depth"), metadata: part("json"), detection: detection)
    }

    private func place(_ id: String, _ end: String) -> URL { folder.appendingPathComponent("\(id).\(end)") }
  }
#endif
