#if canImport(ARKit) && canImport(UIKit)
  public import Foundation
  internal import MienAuthenticity
  internal import MienClient
  public import MienViewModels
  internal import MienImaging

  /// Takes, analyzes, signs and sends photos on the device.
  public struct DevicePhotoCapture: PhotoCapturing {
    private let camera: DepthCamera
    private let key: EnclaveKey
    private let registrar: DeviceRegistration
    private let client: CaptureClient
    private let folder: URL
    private let clock: @Sendable () -> Int64

    /// - Parameters:
    ///   - registrar: registration of the same key with the same server.
    ///   - folder: the app's folder.
    ///   - clock: returns milliseconds since 1970 on the device's clock, which the server records as the sender's
    ///     claim.
    public init(
      camera: DepthCamera, key: EnclaveKey, registrar: DeviceRegistration, client: CaptureClient, folder: URL,
      clock: @escaping @Sendable () -> Int64
    ) {
      self.camera = camera
      self.key = key
      self.registrar = registrar
      self.client = client
      self.folder = folder
      self.clock = clock
    }

    public func permission() async -> CameraPermission { CameraAccess.permission }
    public func ask() async -> CameraPermission { await CameraAccess.ask() }

    public func take() async throws -> CapturedPhoto {
      let shot = try await camera.shoot()
      // Attestation takes time: captures sent before it completes are signed without an assertion.
      Task { await registrar.attestIfNeeded() }
      let id = "capture-\(UUID().uuidString)"
      do {
        try Data(shot.photo).write(to: place(id, "jpg"), options: .atomic)
        if let depth = shot.depth { try Data(depth).write(to: place(id, "depth"), options: .atomic) }
        try Data("\(clock())".utf8).write(to: place(id, "time"), options: .atomic)
      } catch {
        throw ViewError.lowStorage
      }
      return CapturedPhoto(id: id, path: "\(id).jpg")
    }

    @concurrent public func analyze(_ photo: CapturedPhoto) async throws -> [UInt8] {
      let form = try form(photo)
      guard let frame = PixelBytes.frame(form.photo) else { throw ViewError.fileMissing }
      // The depth map is the primary signal where the device measures it.
      let depth = form.depth.flatMap(CaptureMetadata.depthMap)
      let results = CaptureAnalyzer().analyze(CaptureInput(image: YCbCrImage(frame), depth: depth))
      return Array(try JSONEncoder().encode(results))
    }

    public func sign(_ photo: CapturedPhoto, detection: [UInt8]?) async throws -> PhotoSignature {
      let form = try form(photo, detection)
      let counter = try await key.nextCounter()
      let lines = form.lines(device: key.device, counter: counter, digest: Digests.hexadecimal)
      let part = try form.signaturePart(
        device: key.device, counter: counter, signature: try await key.sign(lines), digest: Digests.hexadecimal)
      return PhotoSignature(signature: part, assertion: await registrar.assertion(over: lines))
    }

    public func send(_ photo: CapturedPhoto, detection: [UInt8]?, keyring: PhotoSignature?) async throws -> String {
      // Registers the device before its first capture; repeating it with the same key has no effect. If it fails, the
      // capture is sent anyway, and the server reports an unknown device.
      if keyring != nil { try? await registrar.register() }
      return try await client.send(
        try form(photo, detection), signature: keyring?.signature, assertion: keyring?.assertion)
    }

    public func discard(_ photo: CapturedPhoto) async {
      for end in ["jpg", "depth", "time"] { try? FileManager.default.removeItem(at: place(photo.id, end)) }
    }

    private func form(_ photo: CapturedPhoto, _ detection: [UInt8]? = nil) throws -> CaptureUploadForm {
      guard let image = try? Data(contentsOf: place(photo.id, "jpg")) else { throw ViewError.fileMissing }
      func part(_ end: String) -> [UInt8]? { (try? Data(contentsOf: place(photo.id, end))).map { Array($0) } }
      let time = part("time").flatMap { Int64(String(decoding: $0, as: UTF8.self)) }
      return CaptureUploadForm(
        photo: Array(image), depth: part("depth"),
        metadata: CaptureMetadata.encoded(capturedAt: time, detection: detection), detection: detection)
    }

    public func exists(_ photo: CapturedPhoto) async -> Bool {
      FileManager.default.fileExists(atPath: place(photo.id, "jpg").path)
    }

    private func place(_ id: String, _ end: String) -> URL { folder.appendingPathComponent("\(id).\(end)") }
  }
#endif
