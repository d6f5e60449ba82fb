internal import Hummingbird
internal import MienService
internal import MienAPI

/// Routes of subjects and of the daily work list.
extension ScanRoutes {
  func addSubjects(to router: Router<ServerContext>) {
    router.post("/v1/subjects") { request, context in
      let service = try await service(for: request, context)
      let body = try await RequestParsing.json(SubjectRequest.self, request, upTo: settings.maximumJSONBytes)
      guard let name = body.name else { throw ServiceError(.badValue, "\"name\" must be given.") }
      let subject = try await service.createSubject(
        name: name, note: body.note.flatMap { $0.isEmpty ? nil : $0 }, due: body.due.flatMap { $0.isEmpty ? nil : $0 })
      var response = JSONResponse.json(SubjectResponse(subject), status: .created)
      response.headers[.location] = "/v1/subjects/\(subject.id.text)"
      return response
    }
    router.get("/v1/subjects") { request, context in
      let service = try await service(for: request, context)
      let asked = request.uri.queryParameters
      var query = ScanSubjectQuery()
      query.text = Self.text(asked["q"])
      if let day = Self.text(asked["day"]) {
        guard UTCDate.milliseconds(of: day) != nil else { throw Self.noDay }
        query.due = day
      }
      query.after = try Self.cursor(asked["after"])
      query.limit = try Self.limit(asked["limit"])
      return JSONResponse.json(SubjectListResponse(try await service.subjects(query)))
    }
    router.get("/v1/subjects/:id") { request, context in
      JSONResponse.json(SubjectResponse(try await service(for: request, context).subject(Self.id(context))))
    }
    router.patch("/v1/subjects/:id") { request, context in
      let service = try await service(for: request, context)
      let body = try await RequestParsing.json(SubjectRequest.self, request, upTo: settings.maximumJSONBytes)
      let subject = try await service.update(
        subject: Self.id(context), name: body.name, note: body.note, due: body.due)
      return JSONResponse.json(SubjectResponse(subject))
    }
    router.delete("/v1/subjects/:id") { request, context in
      let scans = try await service(for: request, context).delete(subject: Self.id(context))
      return JSONResponse.json(DeletedSubjectResponse(scans: scans))
    }
  }
}
