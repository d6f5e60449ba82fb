internal import HTTPTypes
internal import Hummingbird
internal import MienService
internal import MienWire

/// Signing in and out of the pages.
struct AccountRoutes<Observer: FaceObserver>: Sendable {
  private static var largestBody: Int { 4096 }

  let spaces: Spaces<Observer>
  /// True where this server speaks TLS itself.
  let isSecure: Bool

  func add(to router: Router<ServerContext>) {
    router.post("/v1/sign-in") { request, context in
      // Nobody is signed in as somebody else by a page of somebody else.
      try RequestOrigin.expectOwn(request)
      try Requests.expect(request, types: ["application/json"])
      let body = try await Requests.json(SignInRequest.self, request, upTo: Self.largestBody)
      guard let isSecure = SessionCookie.isSecure(request, context, isSecure: isSecure) else {
        throw ServiceError(.forbidden, "Sign in over HTTPS: a password must not cross the network in the clear.")
      }
      let space = body.sandbox ? Space.sandbox : .live
      guard let desk = spaces[space].service.accounts else {
        throw ServiceError(.notFound, "Nobody can sign in to this server.")
      }
      let made = try await desk.signIn(
        name: body.name, password: body.password,
        from: context.isOwn(request) ? nil : context.caller(of: request))
      // Whoever was signed in in this browser is not any more.
      if let old = SessionCookie.secret(request, context) { try await self.desk(of: old)?.signOut(old) }
      var response = Replies.json(AccountReply(made.signedIn))
      response.headers[.setCookie] = SessionCookie.header(made.secret, isSecure: isSecure)
      return response
    }
    router.post("/v1/sign-out") { request, context in
      // Nobody is signed out by a page of somebody else.
      try RequestOrigin.expectOwn(request)
      var response = Response(status: .noContent, headers: [.cacheControl: "no-store"])
      let isSecure = SessionCookie.isSecure(request, context, isSecure: isSecure) ?? true
      response.headers[.setCookie] = SessionCookie.header("", isSecure: isSecure)
      guard let secret = SessionCookie.secret(request, context), let desk = desk(of: secret),
        let signedIn = try await desk.signedIn(secret)
      else { return response }
      try RequestOrigin.expectToken(request, of: signedIn)
      try await desk.signOut(secret)
      return response
    }
    router.get("/v1/account") { request, context in
      let secret = SessionCookie.secret(request, context)
      let signedIn: SignedIn? =
        if let secret { try await desk(of: secret)?.signedIn(secret) } else { nil }
      return Replies.json(
        WhoReply(account: signedIn.map(AccountReply.init), canSignIn: try await canSignIn()))
    }
  }

  private func desk(of secret: String) -> AccountDesk? { spaces[Space(ofKey: secret)].service.accounts }

  private func canSignIn() async throws -> Bool {
    for space in Space.allCases {
      if try await spaces[space].service.accounts?.accounts().isEmpty == false { return true }
    }
    return false
  }
}

extension AccountReply {
  init(_ signedIn: SignedIn) {
    self.init(
      name: signedIn.name.text, role: signedIn.role.rawValue, space: signedIn.space.rawValue,
      expiresAt: Replies.rfc3339(milliseconds: signedIn.expires.milliseconds), csrfToken: signedIn.csrfToken)
  }
}
