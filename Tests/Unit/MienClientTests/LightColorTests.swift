import Foundation
import MienAPI
import MienClient
import MienCore
import Testing

@Suite struct `Colors of a light task` {
  private static func task(_ light: String) throws -> TaskResponse {
    let text = #"{"kind":"light","index":0,"count":1,"prompt":{"done":2,"count":8,"light":\#(light)}}"#
    return try JSONDecoder().decode(TaskResponse.self, from: Data(text.utf8))
  }

  @Test func `later colors count from the capture of the frame`() throws {
    let light =
      ##"{"color":"#ffaaaa","next":["#95b4ff","#59cbe1"],"until_ms":300,"dwell_ms":500,"can_decline":true}"##
    let soon = try #require(LightColors(try Self.task(light), age: .milliseconds(100)))
    #expect(soon.color == "#ffaaaa" && soon.canDecline && soon.number == 2)
    #expect(abs(soon.overdue.inSeconds - 0.3) < 1e-9)
    #expect(soon.next.map(\.color) == ["#95b4ff", "#59cbe1"])
    #expect(soon.next.map(\.after) == [.milliseconds(200), .milliseconds(700)])
    let late = try #require(LightColors(try Self.task(light), age: .milliseconds(400)))
    #expect(late.color == "#95b4ff" && late.next.map(\.after) == [.milliseconds(400)])
    #expect(late.number == 3 && abs(late.overdue.inSeconds - 0.1) < 1e-9)
  }

  @Test func `other tasks have none, and a sequence that has not begun announces none`() throws {
    let light = ##"{"color":"#bebebe","next":[],"dwell_ms":500,"can_decline":false}"##
    let waiting = try #require(LightColors(try Self.task(light), age: .zero))
    #expect(waiting.color == "#bebebe" && waiting.next.isEmpty && !waiting.canDecline)
    #expect(waiting.overdue == .zero)
    #expect(LightColors(nil, age: .zero) == nil)
  }
}
