import MienViewModels
import Testing

/// People to scan one after another.
@MainActor @Suite struct `Scan work list` {
  private let store = MemoryStore()

  @Test func `entries keep their order and survive a killed app`() {
    let list = ScanWorkList(store: store)
    #expect(list.next == nil)
    for label in ["bed 1", "  ", "bed 2"] { list.add(label) }
    list.add("bed 3", subject: "sub_3")
    #expect(list.entries.map(\.label) == ["bed 1", "bed 2", "bed 3"] && list.next?.label == "bed 1")
    list.remove(list.entries[0])
    let next = ScanWorkList(store: store)
    #expect(next.entries == list.entries && next.next?.label == "bed 2" && next.entries[1].subject == "sub_3")
    next.add("bed 4")
    #expect(Set(next.entries.map(\.id)).count == 3, "an ID is not used again")
    #expect(!"\(next.entries[0])".contains("bed"))
    for entry in next.entries { next.remove(entry) }
    #expect(store.read("worklist") == nil)
  }

  @Test func `a list that cannot be saved says so, until it can`() {
    let list = ScanWorkList(store: store)
    list.add("bed 1")
    #expect(list.problem == nil)
    store.fill()
    list.add("bed 2")
    #expect(list.problem == .lowStorage && list.entries.count == 2 && ScanWorkList(store: store).entries.count == 1)
    store.fill(false)
    list.add("bed 3")
    #expect(list.problem == nil && ScanWorkList(store: store).entries.count == 3)
  }

  @Test func `the picture moves the face to its middle and never leaves a gap`() {
    #expect(ScanFace(box: [0.3, 0.3, 0.4, 0.4]).centering == .none)
    for x in stride(from: Float(-0.2), through: 1.2, by: 0.1) {
      for y in stride(from: Float(-0.2), through: 1.2, by: 0.1) {
        let centering = ScanFace(box: [x - 0.2, y - 0.2, 0.4, 0.4]).centering
        #expect((1...1.3).contains(centering.scale))
        // The picture is `scale` times the view, about its middle.
        #expect(max(abs(centering.shift.x), abs(centering.shift.y)) <= (centering.scale - 1) / 2 + 1e-6)
        let place = SIMD2(0.5 + centering.scale * (x - 0.5), 0.5 + centering.scale * (y - 0.5)) + centering.shift
        // Near the middle it arrives there; otherwise it gets as near as the magnification allows.
        if max(abs(x - 0.5), abs(y - 0.5)) < 0.11 { #expect(abs(place.x - 0.5) < 1e-5 && abs(place.y - 0.5) < 1e-5) }
        #expect(abs(place.x - 0.5) <= centering.scale * abs(x - 0.5) + 1e-6)
      }
    }
    #expect(ScanFace(box: [.nan, 0, 0, 0]).centering == .none)
  }

  @Test(arguments: [(0.2, "hint.too-close"), (0.5, nil), (1.4, "hint.too-far")] as [(Float, String?)])
  func `the distance of a face has advice`(distance: Float, key: String?) throws {
    let face = ScanFace(box: [0.2, 0.2, 0.5, 0.5], distance: distance)
    #expect(face.advice?.key == key && face.isInRange == (key == nil))
    #expect(ScanFace(box: face.box).advice == nil && ScanFace(box: face.box).isInRange == nil)
    if let key { #expect(try Texts.load("en").has(key)) }
  }
}
