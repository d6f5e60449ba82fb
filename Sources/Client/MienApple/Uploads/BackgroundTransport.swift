#if canImport(ARKit) && canImport(UIKit)
  public import Foundation
  public import MienClient
  internal import UIKit

  /// Transport whose uploads go on while the app is suspended, and after the system has ended it.
  ///
  /// Bodies of at least ``smallest`` bytes are uploaded from a file by a background session; all other requests use an
  /// ordinary one. If the app is ended meanwhile, the response is lost: the upload queue asks the server for the
  /// received bytes at its next start and continues from there.
  public final class BackgroundTransport: NSObject, Transport, @unchecked Sendable {
    /// Identifier of the session, which the system passes to the app's delegate.
    public static let identifier = "org.mien.app.uploads.session"
    /// Minimum size in bytes of a body for the background session, which starts transfers slowly.
    public static let smallest = 256 * 1024

    private struct Waiting {
      let response: CheckedContinuation<APIResponse, any Error>
      var body = Data()
      let file: URL
    }

    private let plain = URLSessionTransport()
    private let folder: URL
    private let lock = NSLock()
    private var waiting: [Int: Waiting] = [:]
    private var whenDelivered: (@MainActor @Sendable () -> Void)?
    // Created after `self`, which is its delegate; used only after initialization.
    private var session: URLSession?

    /// - Parameter folder: for the bodies under way; emptied now, since none survives the app's end here.
    public init(folder: URL) throws {
      self.folder = folder
      super.init()
      try? FileManager.default.removeItem(at: folder)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let configuration = URLSessionConfiguration.background(withIdentifier: Self.identifier)
      configuration.httpCookieStorage = nil
      configuration.urlCache = nil
      configuration.isDiscretionary = false
      configuration.sessionSendsLaunchEvents = true
      session = URLSession(configuration: configuration, delegate: self, delegateQueue: nil)
    }

    public func send(_ call: APIRequest) async throws -> APIResponse {
      guard let body = call.body, body.count >= Self.smallest, let session else { return try await plain.send(call) }
      var request = URLRequest(url: call.url)
      request.httpMethod = call.method
      request.httpShouldHandleCookies = false
      for (name, value) in call.headers { request.setValue(value, forHTTPHeaderField: name) }
      let file = folder.appendingPathComponent(UUID().uuidString)
      do {
        try Data(body).write(to: file, options: .atomic)
      } catch {
        return try await plain.send(call)
      }
      let task = session.uploadTask(with: request, fromFile: file)
      let identifier = task.taskIdentifier
      return try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { response in
          lock.withLock { waiting[identifier] = Waiting(response: response, file: file) }
          task.resume()
        }
      } onCancel: {
        task.cancel()
      }
    }

    /// Keeps the system's handler until all events of the session have been delivered.
    public func deliver(then work: @escaping @MainActor @Sendable () -> Void) {
      lock.withLock { whenDelivered = work }
    }

    private func end(_ identifier: Int, _ result: (Data) -> Result<APIResponse, any Error>) {
      guard let ended = lock.withLock({ waiting.removeValue(forKey: identifier) }) else { return }
      try? FileManager.default.removeItem(at: ended.file)
      ended.response.resume(with: result(ended.body))
    }
  }

  extension BackgroundTransport: URLSessionDataDelegate {
    public func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      lock.withLock { waiting[dataTask.taskIdentifier]?.body.append(data) }
    }

    public func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
      end(task.taskIdentifier) { body in
        if (error as? URLError)?.code == .cancelled { return .failure(CancellationError()) }
        guard error == nil, let reply = task.response as? HTTPURLResponse else {
          return .failure(ClientError(.unreachable, detail: "The server did not answer."))
        }
        var headers: [String: String] = [:]
        for (name, value) in reply.allHeaderFields {
          if let name = name as? String { headers[name.lowercased()] = "\(value)" }
        }
        return .success(APIResponse(status: reply.statusCode, headers: headers, body: Array(body)))
      }
    }

    public func urlSession(
      _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
      newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
      // A redirect would send the secret to another server.
      completionHandler(nil)
    }

    public func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession) {
      let work = lock.withLock {
        defer { whenDelivered = nil }
        return whenDelivered
      }
      if let work { Task { @MainActor in work() } }
    }
  }
#endif
