internal import Foundation
internal import Hummingbird
internal import MienAccess
internal import MienScanService

/// Routes for exporting all files of a scan or a subject as one archive.
extension ScanRoutes {
  func addExports(to routes: inout APIRoutes) {
    routes.get("/v1/scans/:id/export", Self.keyed(audit: .init(.viewedScan, "scan"))) { call in
      let service = scans[call.realm]
      let scan = try await service.scan(call.parameter())
      return try ZIPStreamResponse(Self.entries(of: scan, in: "", service)).response(named: scan.id.text)
    }
    routes.get("/v1/subjects/:id/export", Self.keyed(audit: .init(.viewedScan, "subject"))) { call in
      let service = scans[call.realm]
      let subject = try await service.subject(call.parameter())
      var entries = [Self.entry("subject.json", try Self.json(SubjectResponse(subject)))]
      for id in try await service.scans(ofSubject: subject.id.text) {
        let scan = try await service.scan(id.text)
        entries += try Self.entries(of: scan, in: scan.id.text + "/", service)
      }
      return try ZIPStreamResponse(entries).response(named: subject.id.text)
    }
  }

  private static func entries(
    of scan: ScanRecord, in folder: String, _ service: ScanService
  ) throws -> [ZIPStreamResponse.Entry] {
    var entries = [entry(folder + "scan.json", try json(ScanResponse(scan)))]
    let results = scan.status == .done ? scan.results : []
    for (place, files) in [("files/", scan.files), ("results/", results)] {
      for file in files where file.isWhole {
        entries.append(
          ZIPStreamResponse.Entry(name: folder + place + file.name, size: file.bytes) {
            let stored = try await service.open(file)
            return { try await stored.read($0) }
          })
      }
    }
    return entries
  }

  private static func entry(_ name: String, _ bytes: [UInt8]) -> ZIPStreamResponse.Entry {
    ZIPStreamResponse.Entry(name: name, size: bytes.count) { { Array(bytes[$0]) } }
  }

  private static func json(_ value: some Encodable) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return [UInt8](try encoder.encode(value))
  }
}
