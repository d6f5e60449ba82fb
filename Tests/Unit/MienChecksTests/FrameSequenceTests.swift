import MienLiveSessions
import MienPlatform
import Testing

@Suite struct `Order of a session's frames` {
  /// Enters frames and analyzes each at once; returns the numbers in the order of analysis.
  private func order(_ arrivals: [Int64], in sequence: inout FrameSequence) throws -> [Int64] {
    var done: [Int64] = []
    for number in arrivals {
      var next: Int64? = try sequence.arrive(number, orExplain: "") ? number : sequence.ready()
      while let current = next {
        done.append(current)
        sequence.finish()
        next = sequence.ready()
      }
    }
    return done
  }

  private func refusal(_ work: () throws -> Void) -> ServiceError.Code? {
    do {
      try work()
      return nil
    } catch { return (error as? ServiceError)?.code ?? .internalError }
  }

  @Test func `frames that arrive out of order are analyzed in order`() throws {
    var sequence = FrameSequence()
    #expect(try order([0, 2, 1, 3, 5, 4], in: &sequence) == [0, 1, 2, 3, 4, 5])
  }

  @Test func `the first number may be any`() throws {
    var sequence = FrameSequence()
    #expect(try order([77, 78], in: &sequence) == [77, 78])
    var resumed = FrameSequence(after: 40)
    #expect(try order([41, 42], in: &resumed) == [41, 42])
    #expect(refusal { _ = try resumed.arrive(40, orExplain: "") } == .outOfOrder)
  }

  @Test func `a gap is passed over when a wait expires`() throws {
    var sequence = FrameSequence()
    #expect(try order([0, 2], in: &sequence) == [0])
    sequence.expire(7)
    #expect(sequence.ready() == nil)
    sequence.expire(2)
    #expect(sequence.ready() == 2)
    sequence.finish()
    #expect(try order([3], in: &sequence) == [3], "an expired wait has no effect on later frames")
    #expect(try order([9], in: &sequence) == [])
    #expect(refusal { _ = try sequence.arrive(1, orExplain: "") } == .outOfOrder, "it was passed over")
  }

  @Test func `a repeated number is refused while its frame waits and afterwards`() throws {
    var sequence = FrameSequence()
    #expect(try order([0, 2], in: &sequence) == [0])
    for number in [0, 2] as [Int64] {
      #expect(sequence.isUsed(number))
      #expect(refusal { _ = try sequence.arrive(number, orExplain: "") } == .outOfOrder)
    }
    #expect(!sequence.isUsed(1))
  }

  @Test func `more frames than the window are refused and change nothing`() throws {
    var sequence = FrameSequence()
    #expect(try sequence.arrive(0, orExplain: ""))
    for number in 1..<Int64(FrameSequence.maximumWindow) {
      #expect(try !sequence.arrive(number, orExplain: ""))
    }
    #expect(refusal { _ = try sequence.arrive(8, orExplain: "") } == .tooManyFrames)
    #expect(refusal { try sequence.expectRoom(numbered: true, orExplain: "") } == .tooManyFrames)
    var done: [Int64] = []
    repeat {
      sequence.finish()
      if let next = sequence.ready() { done.append(next) } else { break }
    } while true
    #expect(done == [1, 2, 3, 4, 5, 6, 7])
    #expect(try order([8], in: &sequence) == [8])
  }

  @Test func `a frame without a number is analyzed alone`() throws {
    var sequence = FrameSequence()
    #expect(try sequence.arrive(nil, orExplain: ""))
    #expect(refusal { _ = try sequence.arrive(nil, orExplain: "") } == .frameInFlight)
    sequence.finish()
    #expect(try order([0, 2], in: &sequence) == [0])
    #expect(refusal { _ = try sequence.arrive(nil, orExplain: "") } == .frameInFlight, "frame 2 waits")
  }

  @Test func `frames that arrive together do not shrink the window`() throws {
    var sequence = FrameSequence()
    _ = try sequence.arrive(0, orExplain: "")
    for number in 1...7 as ClosedRange<Int64> { _ = try sequence.arrive(number, orExplain: "") }
    for _ in 0...7 {
      sequence.finish()
      _ = sequence.ready()
      #expect(sequence.window == 8)
    }
  }

  @Test func `the window shrinks while the server stays behind and grows again`() throws {
    var sequence = FrameSequence()
    var next: Int64 = 0
    var underWay = 0
    var windows: [Int] = []
    // The client always has as many frames under way as it may have.
    for _ in 0..<30 {
      while underWay < sequence.window {
        _ = try sequence.arrive(next, orExplain: "")
        next += 1
        underWay += 1
      }
      sequence.finish()
      underWay -= 1
      _ = sequence.ready()
      windows.append(sequence.window)
    }
    #expect(windows.prefix(8).allSatisfy { $0 == 8 })
    #expect(windows.dropFirst(15).allSatisfy { (2...5).contains($0) }, "as many as keep the server busy")
    while underWay > 0 {
      sequence.finish()
      underWay -= 1
      _ = sequence.ready()
    }
    let shrunk = sequence.window
    _ = try sequence.arrive(next, orExplain: "")
    sequence.finish()
    #expect(sequence.window == shrunk + 1)
  }
}
