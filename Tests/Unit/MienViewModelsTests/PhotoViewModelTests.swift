import MienViewModels
import Testing

/// View model of a photo, including all failures.
@MainActor @Suite struct `Photo view model` {
  private let effects = EffectRecorder()

  /// Camera with simulated failures.
  private actor StubPhotoCapture: PhotoCapturing {
    var broken: Set<String>
    private(set) var discarded: [String] = []
    private(set) var sent: [(detection: [UInt8]?, keyring: PhotoSignature?)] = []
    private(set) var analyzed = 0

    init(_ broken: Set<String> = []) {
      self.broken = broken
    }

    func mend() { broken = [] }
    func permission() -> CameraPermission { broken.contains("permission") ? .refused : .notDetermined }
    func ask() -> CameraPermission { broken.contains("ask") ? .refused : .granted }
    func take() throws -> CapturedPhoto {
      if broken.contains("take") { throw ViewError.cameraBusy }
      return CapturedPhoto(id: "p", path: "p.jpg")
    }
    func analyze(_ photo: CapturedPhoto) throws -> [UInt8] {
      analyzed += 1
      if broken.contains("analyze") { throw ViewError.lowMemory }
      return [1]
    }
    func sign(_ photo: CapturedPhoto, detection: [UInt8]?) throws -> PhotoSignature {
      if broken.contains("sign") { throw ViewError.unreachable }
      return PhotoSignature(signature: [2] + (detection ?? []), assertion: broken.contains("attest") ? nil : [3])
    }
    func send(_ photo: CapturedPhoto, detection: [UInt8]?, keyring: PhotoSignature?) throws -> String {
      if broken.contains("send") { throw ViewError.offline }
      sent.append((detection, keyring))
      return "cap_1"
    }
    func discard(_ photo: CapturedPhoto) { discarded.append(photo.path) }
  }

  private func flow(_ capture: StubPhotoCapture, analyzes: Bool = true) throws -> PhotoViewModel {
    PhotoViewModel(
      capture: capture, network: try network(PathServer([:])), effects: effects.handler, analyzes: { analyzes })
  }

  @Test(
    arguments: [
      ([], true, true, true), (["analyze"], false, true, true), (["sign"], true, false, false),
      (["attest"], true, true, false), (["analyze", "sign"], false, false, false),
    ] as [([String], Bool, Bool, Bool)])
  func `a failed optional step does not lose the photo`(
    broken: [String], detection: Bool, signature: Bool, assertion: Bool
  ) async throws {
    let capture = StubPhotoCapture(Set(broken))
    let flow = try flow(capture)
    await flow.take()
    #expect(flow.state == .ready(CapturedPhoto(id: "p", path: "p.jpg")))
    #expect(flow.hasDetection == detection && flow.hasSignature == signature)
    #expect(flow.hasAssertion == assertion)
    await flow.send()
    #expect(flow.state == .sent("cap_1") && effects.haptics == [.step, .success])
    #expect(
      await capture.sent.first.map { ($0.detection != nil) == detection && ($0.keyring != nil) == signature } == true)
    #expect(await capture.sent.first.map { ($0.keyring?.assertion != nil) == assertion } == true)
    #expect(await capture.discarded == ["p.jpg"])
  }

  @Test func `analysis can be disabled in the settings`() async throws {
    let capture = StubPhotoCapture()
    let flow = try flow(capture, analyzes: false)
    await flow.take()
    #expect(await capture.analyzed == 0)
    #expect(!flow.hasDetection && flow.hasSignature)
  }

  @Test(arguments: [("permission", ViewError.cameraRefused), ("ask", .cameraRefused), ("take", .cameraBusy)])
  func `an unusable camera gives an error with a next action`(broken: String, problem: ViewError) async throws {
    let capture = StubPhotoCapture([broken])
    let flow = try flow(capture)
    await flow.take()
    #expect(flow.state == .problem(problem))
    await capture.mend()
    flow.again()
    await flow.take()
    guard case .ready = flow.state else {
      Issue.record("\(flow.state)")
      return
    }
  }

  @Test func `an unsent photo is kept and can be retaken`() async throws {
    let capture = StubPhotoCapture(["send"])
    let flow = try flow(capture)
    await flow.take()
    await flow.send()
    #expect(flow.state == .problem(.offline))
    flow.again()
    #expect(flow.state == .ready(CapturedPhoto(id: "p", path: "p.jpg")))
    await flow.retake()
    #expect(flow.state == .aiming && !flow.hasDetection)
    #expect(await capture.discarded == ["p.jpg"])
  }
}
