import ArgumentParser
import Foundation
import MienClient

/// Where a server is, for commands that talk to one, and who they are to it.
struct RemoteServerOptions: ParsableArguments {
  @Option(help: "The server's address.")
  var server = "http://127.0.0.1:8080"
  @Option(help: "A file with an API key, where the server asks for one; - reads it from standard input.")
  var key: String?

  func validate() throws { _ = try address() }

  /// Messages on that server.
  ///
  /// - Throws: ``CommandError`` when the key cannot be read.
  func messages() throws -> MessageClient {
    try MessageClient(server: address(), key: secret())
  }

  /// The API key, where one is named.
  ///
  /// - Throws: ``CommandError`` when it cannot be read.
  func secret() throws -> String? { try key.map { try Self.secret(in: $0) } }

  /// The server's address.
  func address() throws -> URL {
    guard let url = URL(string: server), let scheme = url.scheme, ["http", "https"].contains(scheme), url.host != nil
    else { throw ValidationError("--server is the address of a server, as https://mien.example.") }
    return url
  }

  /// The first line of a file, so that a secret need not stand in the list of processes.
  private static func secret(in path: String) throws -> String {
    let bytes = try path == "-" ? StandardInput.bytes(upTo: 4096) : Input.bytes(path)
    let line = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).first.map(String.init)
    guard let key = line?.trimmingCharacters(in: .whitespaces), !key.isEmpty else {
      throw CommandError("\(path) holds no key.")
    }
    return key
  }
}

/// What a command reads from standard input instead of its arguments.
enum StandardInput {
  /// Everything that is there, refused as soon as it is more than `limit` bytes.
  static func bytes(upTo limit: Int) throws -> [UInt8] {
    var bytes: [UInt8] = []
    do {
      while let part = try FileHandle.standardInput.read(upToCount: limit + 1 - bytes.count), !part.isEmpty {
        bytes += part
        guard bytes.count <= limit else { throw CommandError("standard input holds more than \(limit) bytes.") }
      }
    } catch let error as CommandError {
      throw error
    } catch {
      throw CommandError("standard input cannot be read: \(Terminal.reason(error))")
    }
    return bytes
  }
}

extension Terminal {
  /// Does a command's work with a server; what the server refused, or its silence, becomes a line and exit code 2.
  static func asking(_ place: RemoteServerOptions, _ work: () async throws -> Void) async throws {
    try await reporting {
      do {
        try await work()
      } catch let error as ClientError where error.code == .unreachable {
        throw CommandError("\(place.server) does not answer.")
      } catch let error as ClientError {
        throw CommandError("\(place.server): \(error.detail) (\(error.code))")
      }
    }
  }
}
