import MienViewModels
import Testing

/// Persistent settings.
@MainActor @Suite struct `Profile view model` {
  @Test func `settings persist in the next process`() {
    let store = MemoryStore()
    let flow = ProfileViewModel(store: store)
    flow.change {
      $0.avatar = "fox"
      $0.readsAloud = true
      $0.locked = 3
    }
    #expect(ProfileViewModel(store: store).settings == flow.settings && flow.settings.avatar == "fox")
    flow.remove()
    #expect(ProfileViewModel(store: store).settings == AppSettings())
  }

  @Test(arguments: [
    "", "null", "[1]", #"{"avatar": 7, "locked": -5, "readsAloud": "yes"}"#, #"{"avatar": "dragon"}"#, "\u{0}\u{1}",
  ]) func `unreadable settings are treated as missing`(text: String) throws {
    let store = MemoryStore()
    try store.write("settings", Array(text.utf8))
    try store.write("messages", Array(text.utf8))
    let flow = ProfileViewModel(store: store)
    #expect(flow.settings == AppSettings() && flow.messages.isEmpty)
  }

  @Test func `one unreadable value does not lose the others`() throws {
    let store = MemoryStore()
    try store.write("settings", Array(#"{"avatar": "fox", "locked": "many", "of-tomorrow": 1}"#.utf8))
    #expect(ProfileViewModel(store: store).settings.avatar == "fox")
  }

  @Test func `a full device keeps the setting until the app ends and reports it`() {
    let store = MemoryStore()
    store.fill()
    let flow = ProfileViewModel(store: store)
    flow.change { $0.avatar = "fox" }
    #expect(flow.settings.avatar == "fox" && flow.problem == .lowStorage)
    store.fill(false)
    flow.change { $0.readsAloud = true }
    #expect(flow.problem == nil && ProfileViewModel(store: store).settings.avatar == "fox")
  }
}
