internal import Hummingbird
internal import MienPlatform
internal import MienAccess
internal import MienScanService
internal import MienAPI

/// Routes of subjects and of the daily work list.
extension ScanRoutes {
  func addSubjects(to routes: inout APIRoutes) {
    routes.post("/v1/subjects", Self.keyed(body: settings.maximumJSONBytes)) { call in
      let service = scans[call.realm]
      let body = try await call.json(SubjectRequest.self)
      guard let name = body.name else { throw ServiceError(.badValue, "\"name\" must be given.") }
      let subject = try await service.createSubject(
        name: name, note: body.note.flatMap { $0.isEmpty ? nil : $0 }, due: body.due.flatMap { $0.isEmpty ? nil : $0 })
      var response = JSONResponse.json(SubjectResponse(subject), status: .created)
      response.headers[.location] = "/v1/subjects/\(subject.id.text)"
      return response
    }
    routes.get("/v1/subjects", Self.keyed()) { call in
      let service = scans[call.realm]
      let asked = call.request.uri.queryParameters
      var query = ScanSubjectQuery()
      query.text = ListParameters.text(asked["q"])
      if let day = ListParameters.text(asked["day"]) {
        guard UTCDate.milliseconds(of: day) != nil else { throw Self.noDay }
        query.due = day
      }
      query.after = try ListParameters.cursor(asked["after"])
      query.limit = try ListParameters.limit(asked["limit"])
      return JSONResponse.json(SubjectListResponse(try await service.subjects(query)))
    }
    routes.get("/v1/subjects/:id", Self.keyed()) { call in
      JSONResponse.json(SubjectResponse(try await scans[call.realm].subject(call.parameter())))
    }
    routes.patch("/v1/subjects/:id", Self.keyed(body: settings.maximumJSONBytes)) { call in
      let service = scans[call.realm]
      let body = try await call.json(SubjectRequest.self)
      let subject = try await service.update(
        subject: call.parameter(), name: body.name, note: body.note, due: body.due)
      return JSONResponse.json(SubjectResponse(subject))
    }
    routes.delete("/v1/subjects/:id", Self.keyed(audit: .init(.deletedScan, "subject"))) { call in
      let scans = try await scans[call.realm].delete(subject: call.parameter())
      return JSONResponse.json(DeletedSubjectResponse(scans: scans))
    }
  }
}
