// libFuzzer's two entry points, shared by all targets: a target defines `seeds()` and `fuzz(_:)`.

#if canImport(Glibc)
  import Glibc
#endif

/// Writes the seeds to the folder that `MIEN_FUZZ_SEEDS` names. Called once.
@_cdecl("LLVMFuzzerInitialize")
public func initializeFuzzer(
  _ count: UnsafeMutablePointer<Int32>?, _ arguments: UnsafeMutableRawPointer?
) -> Int32 {
  guard let folder = unsafe getenv("MIEN_FUZZ_SEEDS") else { return 0 }
  for (index, seed) in seeds().enumerated() {
    let path = unsafe String(cString: folder) + "/seed-\(index)"
    guard let file = unsafe fopen(path, "wb") else { fatalError("cannot write \(path)") }
    _ = unsafe seed.withUnsafeBytes { unsafe fwrite($0.baseAddress, 1, $0.count, file) }
    unsafe fclose(file)
  }
  return 0
}

/// Fuzzes one input. Called for every input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ data: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  // An exact-size copy, so that AddressSanitizer detects reads beyond its end.
  fuzz(unsafe [UInt8](UnsafeBufferPointer(start: data, count: count)))
  return 0
}

/// Terminates the process if a guarantee is violated.
func promise(_ kept: Bool, _ words: StaticString) {
  if !kept { fatalError("broken promise: \(words)") }
}
