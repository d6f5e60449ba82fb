import MienScanFormat
import Testing

@testable import MienScanFiles

@Suite struct `Recording tables` {
  @Test(arguments: ["\n", "\r\n", "\r"]) func `line endings of any system are read and lines are counted`(end: String)
    throws
  {
    let text = ["time, x", "1, 2", "", "# 3", " 4\t-5e1;6"].joined(separator: end)
    #expect(try NumberListParser.table(text, file: "a.csv") == [[1, 2], [4, -50, 6]])
    let error = #expect(throws: ScanError.self) { try NumberListParser.table(text + end + "7, x", file: "a.csv") }
    #expect(error?.code == .damaged && error?.reason.contains("a.csv, line 6: “x”") == true)
  }

  @Test func `too many or too long lines are rejected`() throws {
    #expect(try NumberListParser.table(String(repeating: "\n", count: LineReader.most), file: "a.csv") == [])
    let blanks = String(repeating: " ", count: LineReader.longest - 1)
    #expect(try NumberListParser.table(blanks + "1\n2" + blanks, file: "a.csv") == [[1], [2]])
    let row = String(repeating: "1 ", count: 32)
    #expect(try NumberListParser.table(row, file: "a.csv").first?.count == 32)
    for text in [String(repeating: "\n", count: LineReader.most + 1), blanks + "10", blanks + "10\n", row + "1"] {
      #expect(throws: ScanError(.tooMuch, "")) { try NumberListParser.table(text, file: "a.csv") }
    }
  }

  @Test func `a list with too many lines is rejected`() throws {
    let place = try Place()
    defer { place.remove() }
    try place.write(String(repeating: "#\n", count: LineReader.most + 1), "depth.txt")
    #expect(throws: ScanError(.tooMuch, "")) { try ScanImporter(path: place.path) }
  }

  @Test func `a Record3D description is limited to 16 MB`() throws {
    let place = try Place()
    defer { place.remove() }
    try place.write("{" + String(repeating: " ", count: 16 << 20) + "}", "metadata")
    try place.write([1], "rgbd/0.depth")
    #expect(throws: ScanError(.tooMuch, "")) { try ScanImporter(path: place.path) }
  }

  @Test func `a pose is the nearest in time within a limit`() throws {
    let poses = PoseInterpolator(
      try [3, 1, 2].map { second in
        (seconds: second, pose: try CameraPose(quaternion: [0, 0, 0, 1], position: [Float(second), 0, 0]))
      })
    for (seconds, found) in [(0.5, 1), (1.4, 1), (1.6, 2), (2, 2), (3.5, 3)] as [(Double, Float)] {
      #expect(poses.pose(at: seconds, within: 0.5)?.position.x == found)
    }
    for seconds in [0.49, 3.51] { #expect(poses.pose(at: seconds, within: 0.5) == nil) }
    #expect(PoseInterpolator([]).pose(at: 1, within: 1) == nil)
  }
}
