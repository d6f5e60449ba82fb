internal import HTTPTypes
internal import Hummingbird
internal import MienPlatform
internal import MienAccess
internal import MienAPI

/// Routes for signing in to the pages and out of them.
struct AccountRoutes: Sendable {
  private static var largestBody: Int { 4096 }

  let realms: Realms
  /// `true` if this server terminates TLS itself.
  let isSecure: Bool

  func add(to routes: inout APIRoutes) {
    routes.post("/v1/sign-in", RoutePolicy(.anyone, body: Self.largestBody)) { call in
      let (request, context) = (call.request, call.context)
      // Rejects cross-site requests, which could sign a user in to another account (login CSRF).
      try CSRFProtection.expectOwn(request)
      try call.expect("application/json")
      let body = try await call.json(SignInRequest.self)
      guard let isSecure = SessionCookie.isSecure(request, context, isSecure: isSecure) else {
        throw ServiceError(.forbidden, "Sign in over HTTPS: a password must not be sent unencrypted.")
      }
      let service = realms[body.sandbox ? .sandbox : .live].access.accounts
      let made = try await service.signIn(
        name: body.name, password: body.password,
        from: context.isOwn(request) ? nil : context.caller(of: request))
      // Ends the browser's previous session.
      if let old = SessionCookie.secret(request, context) { try await self.accountService(of: old).signOut(old) }
      var response = JSONResponse.json(AccountResponse(made.signedIn))
      response.setCookie(SessionCookie.cookie(made.secret, isSecure: isSecure))
      return response
    }
    routes.post("/v1/sign-out", RoutePolicy(.anyone)) { call in
      let (request, context) = (call.request, call.context)
      // Rejects cross-site requests, which could sign a user out.
      try CSRFProtection.expectOwn(request)
      var response = Response(status: .noContent, headers: [.cacheControl: "no-store"])
      let isSecure = SessionCookie.isSecure(request, context, isSecure: isSecure) ?? true
      response.setCookie(SessionCookie.cookie("", isSecure: isSecure))
      guard let secret = SessionCookie.secret(request, context),
        let signedIn = try await accountService(of: secret).signedIn(secret)
      else { return response }
      try CSRFProtection.expectToken(request, of: signedIn)
      try await accountService(of: secret).signOut(secret)
      return response
    }
    routes.get("/v1/account", RoutePolicy(.anyone)) { call in
      let secret = SessionCookie.secret(call.request, call.context)
      let signedIn: AuthenticatedSession? =
        if let secret { try await accountService(of: secret).signedIn(secret) } else { nil }
      return JSONResponse.json(
        CurrentAccountResponse(account: signedIn.map(AccountResponse.init), canSignIn: try await canSignIn()))
    }
  }

  private func accountService(of secret: String) -> AccountService { realms[Realm(ofKey: secret)].access.accounts }

  private func canSignIn() async throws -> Bool {
    for realm in Realm.allCases {
      if try await realms[realm].access.accounts.accounts().isEmpty == false { return true }
    }
    return false
  }
}

extension AccountResponse {
  init(_ signedIn: AuthenticatedSession) {
    self.init(
      name: signedIn.name.text, role: signedIn.role.rawValue, realm: signedIn.realm.rawValue,
      expiresAt: JSONResponse.rfc3339(milliseconds: signedIn.expires.milliseconds), csrfToken: signedIn.csrfToken)
  }
}
