import Foundation
import Testing

@testable import MienScanService

/// Scan reports stored by previous versions.
@Suite struct `Stored scan reports` {
  /// Report of the first version with scans: without diagnostics and photo measures.
  private static let first = #"""
    {"depth":{"device":"iPhone15,3","format":"container","frames":70,"height":192,"sensor":"lidar","unit_micrometres":1000,
    "width":256},"measurements":[{"millimetres":61.5,"name":"inter-ocular","uncertainty_millimetres":1.2}],
    "notes":["Two frames were left out."],"photos":[{"height":1440,"name":"image1.jpg","width":1080}],
    "report":{"items":[{"name":"depth-distance","outcome":"warn","unit":"m","value":1.37,"words":"Come nearer.",
    "words_code":"depth-distance.warn"},{"name":"photo-1","outcome":"not-assessed","words":"","words_code":"photo-1.not-assessed"}],
    "outcome":"warn"},"surface":{"drift_millimetres":4.5,"frames_fused":68,"frames_lost":2,"size_millimetres":[600,900,580],
    "triangles":120000,"vertices":61000,"voxel_millimetres":4}}
    """#

  private static func read(_ text: String) throws -> ScanReport {
    try JSONDecoder().decode(ScanReport.self, from: Data(text.utf8))
  }

  @Test func `a version 1 report is read completely`() throws {
    let outcome = try Self.read(Self.first)
    #expect(
      outcome.depth?.frames == 70 && outcome.depth?.micrometersPerStep == 1000 && outcome.depth?.device == "iPhone15,3")
    #expect(outcome.measurements.map(\.millimeters) == [61.5] && outcome.measurements.map(\.uncertainty) == [1.2])
    #expect(outcome.notes == ["Two frames were left out."] && outcome.remarks == nil)
    #expect(outcome.photos.map(\.name) == ["image1.jpg"] && outcome.photos[0].measures == nil)
    let report = try #require(outcome.report)
    #expect(report.outcome == "warn" && report.items.map(\.outcome) == ["warn", "not-assessed"])
    #expect(report.items[0].value == 1.37 && report.items[0].remarks == nil && report.items[1].value == nil)
    let surface = try #require(outcome.surface)
    #expect(surface.voxel == 4 && surface.framesLost == 2 && surface.residual == nil && surface.drift == 4.5)
    #expect(surface.size == [600, 900, 580])
  }

  @Test func `a report with diagnostics and measures is read completely`() throws {
    let text = Self.first
      .replacingOccurrences(
        of: #""name":"image1.jpg""#,
        with:
          #""measures":[{"name":"Sharpness","score":81,"unit":"","value":2.5},{"name":"HeadPoseYaw","unit":"°","value":-3}],"name":"image1.jpg""#
      )
      .replacingOccurrences(
        of: #""notes""#,
        with: #""remarks":[{"code":"note.frames","values":{"count":"2"},"words":"Two frames were left out."}],"notes""#)
    let outcome = try Self.read(text)
    let measures = try #require(outcome.photos[0].measures)
    #expect(measures.map(\.name) == ["Sharpness", "HeadPoseYaw"] && measures.map(\.score) == [81, nil])
    #expect(outcome.remarks == [.init(code: "note.frames", values: ["count": "2"], words: "Two frames were left out.")])
  }

  @Test func `reports are read back as written`() throws {
    let outcome = try Self.read(Self.first)
    #expect(try JSONDecoder().decode(ScanReport.self, from: JSONEncoder().encode(outcome)) == outcome)
  }
}
