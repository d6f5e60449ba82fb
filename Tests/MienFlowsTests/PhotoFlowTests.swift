import MienFlows
import Testing

/// Taking a photograph, with everything that may fail beside it.
@MainActor @Suite struct `The flow of a photograph` {
  private let ledger = Ledger()

  /// A studio of which parts can be broken.
  private actor Studio: PhotoStudio {
    var broken: Set<String>
    private(set) var discarded: [String] = []
    private(set) var sent: [(detection: [UInt8]?, signature: [UInt8]?)] = []
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
    func sign(_ photo: TakenPhoto, detection: [UInt8]?) throws -> [UInt8] {
      if broken.contains("sign") { throw FlowTrouble.unreachable }
      return [2] + (detection ?? [])
    }
    func send(_ photo: TakenPhoto, detection: [UInt8]?, signature: [UInt8]?) throws -> String {
      if broken.contains("send") { throw FlowTrouble.offline }
      sent.append((detection, signature))
      return "cap_1"
    }
    func discard(_ photo: TakenPhoto) { discarded.append(photo.path) }
  }

  private func flow(_ studio: Studio, analyses: Bool = true) throws -> PhotoFlow {
    PhotoFlow(studio: studio, network: try network(PathServer([:])), stage: ledger.stage, analyses: analyses)
  }

  @Test(
    arguments: [
      ([], true, true), (["analyse"], false, true), (["sign"], true, false),
      (["analyse", "sign"], false, false),
    ] as [([String], Bool, Bool)])
  func `an analysis or a signature that fails does not cost the photograph`(
    broken: [String], detection: Bool, signature: Bool
  ) async throws {
    let studio = Studio(Set(broken))
    let flow = try flow(studio)
    await flow.take()
    #expect(flow.state == .ready(TakenPhoto(id: "p", path: "p.jpg")))
    #expect(flow.hasDetection == detection && flow.hasSignature == signature)
    await flow.send()
    #expect(flow.state == .sent("cap_1") && ledger.haptics == [.step, .success])
    #expect(
      await studio.sent.first.map { ($0.detection != nil) == detection && ($0.signature != nil) == signature } == true)
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
