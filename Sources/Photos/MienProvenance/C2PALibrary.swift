internal import Foundation

/// The C2PA reference library, loaded at run time: a program without it works and reports provenance as not available.
///
/// Only the functions used are declared here. Handles are opaque and are released with ``free``. The library stores error
/// messages per thread: read one on the thread that made the call.
@safe final class C2PALibrary: Sendable {
  typealias Handle = OpaquePointer
  /// Returns the number of bytes read, 0 at the end, negative for an error.
  typealias Read = @convention(c) (UnsafeMutableRawPointer?, UnsafeMutablePointer<UInt8>?, Int) -> Int
  /// Returns the new position, negative for an error. The mode is 0 from the start, 1 from here, 2 from the end.
  typealias Seek = @convention(c) (UnsafeMutableRawPointer?, Int, CInt) -> Int
  typealias Write = @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<UInt8>?, Int) -> Int
  typealias Flush = @convention(c) (UnsafeMutableRawPointer?) -> Int
  /// Returns 0 to cancel. The arguments after the context are phase, step, and total.
  typealias Progress = @convention(c) (UnsafeMutableRawPointer?, CInt, UInt32, UInt32) -> CInt
  /// Returns 0 if it filled in the response. The arguments after the context are request and response.
  typealias Fetch = @convention(c) (UnsafeMutableRawPointer?, UnsafeRawPointer?, UnsafeMutableRawPointer?) -> CInt
  typealias Text = UnsafeMutablePointer<CChar>

  let newStream: @convention(c) (UnsafeMutableRawPointer?, Read, Seek, Write, Flush) -> Handle?
  let releaseStream: @convention(c) (Handle?) -> Void
  let newSettings: @convention(c) () -> Handle?
  /// The arguments after the handle are the settings and their format, `json`.
  let updateSettings: @convention(c) (Handle?, UnsafePointer<CChar>?, UnsafePointer<CChar>?) -> CInt
  let newContextBuilder: @convention(c) () -> Handle?
  let setSettings: @convention(c) (Handle?, Handle?) -> CInt
  let setProgress: @convention(c) (Handle?, UnsafeMutableRawPointer?, Progress) -> CInt
  let newResolver: @convention(c) (UnsafeMutableRawPointer?, Fetch) -> Handle?
  /// Takes over the resolver.
  let setResolver: @convention(c) (Handle?, Handle?) -> CInt
  /// Takes over the builder.
  let buildContext: @convention(c) (Handle?) -> Handle?
  let newReader: @convention(c) (Handle?) -> Handle?
  /// Takes over the reader and returns another; `nil` for an error.
  let readStream: @convention(c) (Handle?, UnsafePointer<CChar>?, Handle?) -> Handle?
  let json: @convention(c) (Handle?) -> Text?
  /// The argument is an array of four texts: algorithm, certificates, key, address of a time stamp authority or null.
  let newSigner: @convention(c) (UnsafeRawPointer?) -> Handle?
  let newBuilder: @convention(c) (Handle?) -> Handle?
  /// Takes over the builder and returns another; `nil` for an error. The text is the manifest's definition in JSON.
  let defineManifest: @convention(c) (Handle?, UnsafePointer<CChar>?) -> Handle?
  /// Returns the size of the manifest, negative for an error. The arguments after the builder are media type, source,
  /// target, signer, and the manifest, which the caller frees.
  let sign:
    @convention(c) (
      Handle?, UnsafePointer<CChar>?, Handle?, Handle?, Handle?, UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?
    ) -> Int64
  /// The arguments after the builder are the intent (1 for an edit, whose source becomes an ingredient) and the source
  /// type, which only a creation has.
  let setIntent: @convention(c) (Handle?, UInt32, UInt32) -> CInt
  /// Leaves the signed file as it is: the manifest is only returned.
  let setNoEmbed: @convention(c) (Handle?) -> Void
  private let error: @convention(c) () -> Text?
  private let release: @convention(c) (UnsafeRawPointer?) -> CInt
  /// Version of the library, such as `0.91.3`.
  let version: String

  /// File name of the library.
  static let fileName = "libc2pa_c.so"

  /// Loads the library.
  ///
  /// - Throws: ``ProvenanceLibraryError`` if the file is missing, is not a library, or lacks a function.
  init(path: String) throws(ProvenanceLibraryError) {
    // Not resolved against the system's search path: only the installed file is meant.
    guard FileManager.default.isReadableFile(atPath: path) else {
      throw ProvenanceLibraryError(.missing, reason: "\(path) does not exist or cannot be read")
    }
    guard let image = unsafe dlopen(path, RTLD_NOW | RTLD_LOCAL) else {
      let reason = unsafe dlerror().map { unsafe String(cString: $0) } ?? "it cannot be loaded"
      throw ProvenanceLibraryError(.unusable, reason: reason)
    }
    func symbol<Function>(_ name: String) throws(ProvenanceLibraryError) -> Function {
      guard let address = unsafe dlsym(image, "c2pa_\(name)") else {
        throw ProvenanceLibraryError(.unusable, reason: "\(path) has no function c2pa_\(name)")
      }
      return unsafe unsafeBitCast(address, to: Function.self)
    }
    unsafe newStream = try symbol("create_stream")
    unsafe releaseStream = try symbol("release_stream")
    unsafe newSettings = try symbol("settings_new")
    unsafe updateSettings = try symbol("settings_update_from_string")
    unsafe newContextBuilder = try symbol("context_builder_new")
    unsafe setSettings = try symbol("context_builder_set_settings")
    unsafe setProgress = try symbol("context_builder_set_progress_callback")
    unsafe newResolver = try symbol("http_resolver_create")
    unsafe setResolver = try symbol("context_builder_set_http_resolver")
    unsafe buildContext = try symbol("context_builder_build")
    unsafe newReader = try symbol("reader_from_context")
    unsafe readStream = try symbol("reader_with_stream")
    unsafe json = try symbol("reader_json")
    unsafe newSigner = try symbol("signer_from_info")
    unsafe newBuilder = try symbol("builder_from_context")
    unsafe defineManifest = try symbol("builder_with_definition")
    unsafe sign = try symbol("builder_sign")
    unsafe setIntent = try symbol("builder_set_intent")
    unsafe setNoEmbed = try symbol("builder_set_no_embed")
    unsafe error = try symbol("error")
    unsafe release = try symbol("free")
    let named: @convention(c) () -> Text? = unsafe try symbol("version")
    let text = unsafe named()
    let words = unsafe text.map { unsafe String(cString: $0) } ?? ""
    unsafe _ = release(text)
    version = words.split(separator: "/").last.map(String.init) ?? words
  }

  /// Releases a handle or a text of the library.
  func free(_ handle: Handle?) { unsafe _ = release(UnsafeRawPointer(handle)) }

  /// Returns a text of the library and releases it; `nil` for `nil`, and if it has more than `limit` bytes.
  @unsafe func take(_ text: Text?, limit: Int = .max) -> String? {
    guard let text = unsafe text else { return nil }
    defer { unsafe _ = release(text) }
    guard unsafe strnlen(text, limit) < limit else { return nil }
    return unsafe String(cString: text)
  }

  /// Message of the last error on this thread.
  var lastError: String {
    let message = unsafe take(error()) ?? ""
    return message.isEmpty ? "no message" : message
  }
}

/// Reason why the C2PA library cannot be used. Compared by code.
public struct ProvenanceLibraryError: Error, Hashable, Sendable, CustomStringConvertible {
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    fileprivate enum Kind: String { case missing, unusable, badTrustList }
    fileprivate let kind: Kind
    /// The library is not installed.
    public static let missing = Code(kind: .missing)
    /// The file does not load, or is another version of the library.
    public static let unusable = Code(kind: .unusable)
    /// A trust list contains no certificate, or one that cannot be parsed.
    public static let badTrustList = Code(kind: .badTrustList)
    public var description: String { kind.rawValue }
  }

  public let code: Code
  /// Description for operators.
  public let reason: String

  init(_ code: Code, reason: String) {
    self.code = code
    self.reason = reason
  }

  public static func == (left: ProvenanceLibraryError, right: ProvenanceLibraryError) -> Bool {
    left.code == right.code
  }
  public func hash(into hasher: inout Hasher) { hasher.combine(code) }
  public var description: String { "\(code): \(reason)" }
}
