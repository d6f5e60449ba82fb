import MienService
import Testing

@testable import MienBlobs

/// Threads that may wait for the disk.
@Suite struct `Disk threads` {
  @Test func `carry a task through its waits, and let it go after`() async throws {
    #expect(!DiskThreads.isHere)
    try await DiskThreads.run {
      #expect(DiskThreads.isHere)
      _ = try await DiskThreads.wait { 1 }
      await Task.detached {}.value
      #expect(DiskThreads.isHere)
    }
    #expect(!DiskThreads.isHere)
  }

  @Test func `do what waits, wherever it is asked for`() async throws {
    #expect(try await DiskThreads.wait { DiskThreads.isHere })
    #expect(try await DiskThreads.run { try await DiskThreads.wait { DiskThreads.isHere } })
  }

  @Test func `do not keep a task of its own that was begun on one`() async throws {
    let other = try await DiskThreads.run { Task.detached { DiskThreads.isHere } }
    #expect(await !other.value)
  }

  @Test func `hand errors on`() async {
    await #expect(throws: StoreError.self) {
      try await DiskThreads.wait { throw StoreError(.missing, reason: "gone") }
    }
    await #expect(throws: StoreError.self) {
      try await DiskThreads.run { throw StoreError(.missing, reason: "gone") }
    }
  }
}
