import ArgumentParser
import Foundation
import MienClient
import MienFiles

/// Options of commands that call a server: its address and an API key.
struct RemoteServerOptions: ParsableArguments {
  @Option(name: .customLong("server"), help: "URL of the server.")
  var url = "http://127.0.0.1:8080"
  @Option(help: "File with an API key, if the server requires one; - reads it from standard input.")
  var key: String?

  func validate() throws { _ = try address() }

  /// Returns a client for the server's messages.
  ///
  /// - Throws: ``OperationError`` if the key cannot be read.
  func messages() throws -> MessageClient {
    try MessageClient(server: address(), key: secret())
  }

  /// Returns the API key, if one is given.
  ///
  /// - Throws: ``OperationError`` if it cannot be read.
  func secret() throws -> String? { try key.map { try Self.secret(in: $0, "key") } }

  /// Returns the server's address.
  ///
  /// - Throws: `ValidationError` if it is not an HTTP or HTTPS URL.
  func address() throws -> URL {
    guard let address = URL(string: url), let scheme = address.scheme, ["http", "https"].contains(scheme),
      address.host != nil
    else { throw ValidationError("--server is the address of a server, as https://mien.example.") }
    return address
  }

  /// Returns the first line of a file, so that a secret need not appear in the process list.
  ///
  /// - Parameter what: kind of the secret, for errors.
  static func secret(in path: String, _ what: String) throws -> String {
    let bytes = try path == "-" ? StandardInput.bytes(upTo: 4096) : InputFile.bytes(path)
    let line = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).first.map(String.init)
    guard let key = line?.trimmingCharacters(in: .whitespaces), !key.isEmpty else {
      throw OperationError("\(path) holds no \(what).")
    }
    return key
  }
}

/// Input that a command reads from standard input instead of its arguments.
enum StandardInput {
  /// Reads all of standard input.
  ///
  /// - Throws: ``OperationError`` as soon as there are more than `limit` bytes, or if it cannot be read.
  static func bytes(upTo limit: Int) throws -> [UInt8] {
    var bytes: [UInt8] = []
    do {
      while let part = try FileHandle.standardInput.read(upToCount: limit + 1 - bytes.count), !part.isEmpty {
        bytes += part
        guard bytes.count <= limit else { throw OperationError("standard input holds more than \(limit) bytes.") }
      }
    } catch let error as OperationError {
      throw error
    } catch {
      throw OperationError("standard input cannot be read: \(error.fileReason)")
    }
    return bytes
  }
}

extension Terminal {
  /// Runs a command's requests to a server; a rejected or unanswered request becomes an error message with exit code 2.
  static func reportingRequests(to server: RemoteServerOptions, _ work: () async throws -> Void) async throws {
    try await reporting {
      do {
        try await work()
      } catch let error as ClientError where error.code == .unreachable {
        throw OperationError("\(server.url) does not answer.")
      } catch let error as ClientError {
        throw OperationError("\(server.url): \(error.detail) (\(error.code))")
      }
    }
  }
}
