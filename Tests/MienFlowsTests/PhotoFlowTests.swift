import MienFlows
import Testing

/// Taking a photograph, with everything that may fail beside it.
@MainActor @Suite struct `The flow of a photograph` {
  private let ledger = Ledger()

  /// A studio of which parts can be broken.
  private actor Studio: PhotoStudio {
    var broken: Set<String>
    private(set) var discarded: [String] = []
    private(set) var sent: [(detection: [UInt8]?, seal: PhotoSeal?)] = []
    private(set) var analysed = 0

    init(_ broken: Set<String> = []) {
      self.broken = broken
    }

    func mend() { broken = [] }
    func permission() -> CameraPermission { broken.contains("permission") ? .refused : .unasked }
    func ask() -> CameraPermission { broken.contains("ask") ? .refused : .granted }
    func take() throws -> TakenPhoto {
      if broken.contains("take") { throw FlowTrouble.cameraBusy }
      return TakenPhoto(id: "p", path: "p.jpg")
    }
    func analyse(_ photo: TakenPhoto) throws -> [UInt8] {
      analysed += 1
      if broken.contains("analyse") { throw FlowTrouble.lowMemory }
      return [1]
    }
    func sign(_ photo: TakenPhoto, detection: [UInt8]?) throws -> PhotoSeal {
      if broken.contains("sign") { throw FlowTrouble.unreachable }
      return PhotoSeal(signature: [2] + (detection ?? []), assertion: broken.contains("attest") ? nil : [3])
    }
    func send(_ photo: TakenPhoto, detection: [UInt8]?, seal: PhotoSeal?) throws -> String {
      if broken.contains("send") { throw FlowTrouble.offline }
      sent.append((detection, seal))
      return "cap_1"
    }
    func discard(_ photo: TakenPhoto) { discarded.append(photo.path) }
  }

  private func flow(_ studio: Studio, analyses: Bool = true) throws -> PhotoFlow {
    PhotoFlow(studio: studio, network: try network(PathServer([:])), stage: ledger.stage, analyses: analyses)
  }

  @Test(
    arguments: [
      ([], true, true, true), (["analyse"], false, true, true), (["sign"], true, false, false),
      (["attest"], true, true, false), (["analyse", "sign"], false, false, false),
    ] as [([String], Bool, Bool, Bool)])
  func `what fails beside the photograph does not cost it`(
    broken: [String], detection: Bool, signature: Bool, assertion: Bool
  ) async throws {
    let studio = Studio(Set(broken))
    let flow = try flow(studio)
    await flow.take()
    #expect(flow.state == .ready(TakenPhoto(id: "p", path: "p.jpg")))
    #expect(flow.hasDetection == detection && flow.hasSignature == signature)
    #expect(flow.hasAssertion == assertion)
    await flow.send()
    #expect(flow.state == .sent("cap_1") && ledger.haptics == [.step, .success])
    #expect(
      await studio.sent.first.map { ($0.detection != nil) == detection && ($0.seal != nil) == signature } == true)
    #expect(await studio.sent.first.map { ($0.seal?.assertion != nil) == assertion } == true)
    #expect(await studio.discarded == ["p.jpg"])
  }

  @Test func `a setting leaves the analysis out`() async throws {
    let studio = Studio()
    let flow = try flow(studio, analyses: false)
    await flow.take()
    #expect(await studio.analysed == 0)
    #expect(!flow.hasDetection && flow.hasSignature)
  }

  @Test(arguments: [("permission", FlowTrouble.cameraRefused), ("ask", .cameraRefused), ("take", .cameraBusy)])
  func `a camera that cannot is a state with a way on`(broken: String, trouble: FlowTrouble) async throws {
    let studio = Studio([broken])
    let flow = try flow(studio)
    await flow.take()
    #expect(flow.state == .troubled(trouble))
    await studio.mend()
    flow.again()
    await flow.take()
    guard case .ready = flow.state else {
      Issue.record("\(flow.state)")
      return
    }
  }

  @Test func `what could not be sent is still there, and can be taken anew`() async throws {
    let studio = Studio(["send"])
    let flow = try flow(studio)
    await flow.take()
    await flow.send()
    #expect(flow.state == .troubled(.offline))
    flow.again()
    #expect(flow.state == .ready(TakenPhoto(id: "p", path: "p.jpg")))
    await flow.retake()
    #expect(flow.state == .aiming && !flow.hasDetection)
    #expect(await studio.discarded == ["p.jpg"])
  }
}
