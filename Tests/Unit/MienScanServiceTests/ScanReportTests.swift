import Foundation
import MienScanService
import Testing

@Suite struct `Scan reports` {
  @Test func `a report is read back as written, with the names of the API`() throws {
    let remark = ScanReport.Remark(code: "note.frames", values: ["count": "2"], text: "Two frames were left out.")
    let text = #"""
      {"depth":{"device":"iPhone15,3","format":"container","frames":70,"height":192,"sensor":"lidar","unit_micrometers":1000,
      "width":256},"measurements":[{"millimeters":61.5,"name":"inter-ocular","uncertainty_millimeters":1.2}],
      "notes":["Two frames were left out."],"photos":[{"height":1440,"measures":[{"name":"Sharpness","score":81,"unit":"","value":2.5},
      {"name":"HeadPoseYaw","unit":"°","value":-3}],"name":"image1.jpg","width":1080}],
      "remarks":[{"code":"note.frames","values":{"count":"2"},"text":"Two frames were left out."}],
      "report":{"items":[{"name":"depth-distance","outcome":"warn","remarks":[{"code":"a","values":{},"text":"Come nearer."}],
      "unit":"m","value":1.37,"text":"Come nearer.","text_code":"depth-distance.warn"},{"name":"photo-1","outcome":"not-assessed",
      "remarks":[],"text":"","text_code":"photo-1.not-assessed"}],"outcome":"warn"},"surface":{"drift_millimeters":4.5,
      "frames_fused":68,"frames_lost":2,"pieces":1,"size_millimeters":[600,900,580],"triangles":120000,"vertices":61000,"voxel_millimeters":4}}
      """#
    let measures: [ScanReport.Photo.Measure] = [
      .init(name: "Sharpness", value: 2.5, unit: "", score: 81),
      .init(name: "HeadPoseYaw", value: -3, unit: "°", score: nil),
    ]
    let report = ScanReport(
      photos: [.init(name: "image1.jpg", width: 1080, height: 1440, measures: measures)],
      depth: .init(
        frames: 70, width: 256, height: 192, sensor: "lidar", device: "iPhone15,3", format: "container",
        micrometersPerStep: 1000),
      report: .init(
        outcome: "warn",
        items: [
          .init(
            name: "depth-distance", outcome: "warn", value: 1.37, unit: "m",
            remarks: [.init(code: "a", values: [:], text: "Come nearer.")]),
          .init(name: "photo-1", outcome: "not-assessed", value: nil, unit: nil, remarks: []),
        ]),
      measurements: [try #require(.init(name: "inter-ocular", millimeters: 61.5, uncertainty: 1.2))],
      surface: .init(
        triangles: 120_000, vertices: 61_000, voxel: 4, framesFused: 68, framesLost: 2, pieces: 1, residual: nil,
        drift: 4.5, size: [600, 900, 580]),
      remarks: [remark])
    #expect(try JSONDecoder().decode(ScanReport.self, from: Data(text.utf8)) == report)
    #expect(try JSONDecoder().decode(ScanReport.self, from: JSONEncoder().encode(report)) == report)
  }
}
