import MienTestGenerators
import Foundation
import MienCore
import MienChecks
import MienStore
import MienTestSupport
import Testing

/// Number of checks in the simulated day; `nil` if this long test is not enabled.
private let checksOfADay: Int? = {
  let asked = ProcessInfo.processInfo.environment["MIEN_DAY_CHECKS"].flatMap { Int($0) }
  if asked == nil { print("SKIPPED DayOfChecksTests: a long test; set MIEN_DAY_CHECKS=86400 to run it") }
  return asked
}()

/// Simulated person in front of a camera, until the check is over or the person has left.
private struct Visitor {
  let id: CheckID
  let token: String
  let side: Side
  /// Behavior: 0 and 1 turn as requested, 2 turns to the other side, 3 leaves after half a second.
  let kind: Int
  var frames = 0
  var state = ""
  var turn = [Float](arrayLiteral: 0, 6, 14, 22, 30, 24, 15, 8, 2, 0)[...]

  /// Returns the current frame, or `nil` if the person has left.
  mutating func frame() -> [UInt8]? {
    frames += 1
    guard frames < (kind == 3 ? 5 : 300) else { return nil }
    let asked = state == "tracking" ? turn.popFirst() ?? 0 : 0
    let toward: Float = (side == .subjectLeft) == (kind != 2) ? 1 : -1
    return ScriptedObserver.frame(yaw: asked * toward, mark: frames + (id.text.hashValue >> 14) * 1000)
  }
}

@Suite(.enabled(if: checksOfADay != nil)) struct `Simulated day of checks` {
  /// 24 hours of the service's clock on a real store: checks start at a constant rate; half of them pass, a quarter
  /// fails with a wrong turn and a quarter is abandoned. Verdicts are stored for two hours, so that the total becomes
  /// constant.
  @Test func `memory does not grow after the warm-up`() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("mien-day-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let clock = ManualClock(at: MonotonicInstant(nanoseconds: 1_000_000_000))
    var settings = ServiceSettings.scripted
    settings.resultLifetime = .seconds(7200)
    let service = LivenessCheckService(
      store: try SQLiteStore(path: folder.appendingPathComponent("mien.sqlite").path), observer: ScriptedObserver(),
      clock: clock, settings: settings, generator: SplitMixGenerator(seed: 1))
    let count = try #require(checksOfADay)
    var visitors: [Visitor] = []
    var (created, ended) = (0, [String: Int]())
    var memory: [Double] = []
    for step in 0..<864_000 {
      while created * 864_000 < (step + 1) * count {
        let side: Side = created.isMultiple(of: 2) ? .subjectLeft : .subjectRight
        let (check, token) = try await service.create(side: side, person: nil, expectsDepth: false, reference: nil)
        visitors.append(Visitor(id: check.id, token: token, side: side, kind: created % 4))
        created += 1
      }
      clock.advance(by: .milliseconds(100))
      for index in visitors.indices.reversed() {
        guard let frame = visitors[index].frame() else {
          visitors.remove(at: index)
          continue
        }
        let visitor = visitors[index]
        let seen = try await service.processFrame(
          at: frame, of: visitor.id, token: visitor.token, client: "page", capturedAt: nil)
        visitors[index].state = seen.state
        if seen.isOver {
          ended[seen.state, default: 0] += 1
          visitors.remove(at: index)
        }
      }
      if step % 10 == 9 { try await service.expireAndPurge() }
      if step % 36_000 == 35_999 {
        memory.append(Self.residentMegabytes())
        print("MEASURED after \(memory.count) hours: \(created) checks, \(Int(memory.last ?? 0)) MB")
      }
    }
    print("MEASURED a day: \(created) checks, \(ended.sorted { $0.key < $1.key })")
    #expect(created == count && (ended["passed"] ?? 0) * 100 > count * 48)
    let settled = memory[6..<12].reduce(0, +) / 6
    let last = memory[18...].reduce(0, +) / 6
    #expect(last < settled * 1.05, "\(settled) MB in the second quarter of the day, \(last) MB in its last")
  }

  private static func residentMegabytes() -> Double {
    let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
    let pages = text.split(separator: " ").dropFirst().first.flatMap { Double($0) } ?? 0
    return pages * Double(sysconf(Int32(_SC_PAGESIZE))) / 1e6
  }
}
