// Observations per second that the expression detector processes on one core, and its number of allocations: for
// complete observations of 52 coefficients, and for samples prepared from them. Measures processor time, which is less
// affected by other processes; run it alone nevertheless, in release mode.
import CAllocationCount
import MienExpressions
import MienCore

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// 3,000 observations at 30 per second: neutral, smile, neutral, wink, one second each, with noise.
let claims = (0..<3000).map { frame in
  var shapes = Blendshapes()
  for name in BlendshapeName.allCases { shapes[name] = Float((frame * 7 + name.rawValue * 13) % 100) / 400 }
  switch frame / 30 % 4 {
  case 1:
    shapes[.mouthSmileLeft] = 0.8
    shapes[.mouthSmileRight] = 0.9
  case 3:
    shapes[.eyeBlinkLeft] = 0.9
    shapes[.eyeBlinkRight] = 0.1
  default: break
  }
  return ClientObservation(
    at: MonotonicInstant(nanoseconds: Int64(frame) * 33_333_333), faceCount: 1, box: nil, pose: nil, blendshapes: shapes
  )
}
let samples = claims.map { ExpressionSample($0, source: .phone) }

@inline(never)
func judge(_ claims: [ClientObservation]) -> Int {
  var machine = ExpressionDetector(source: .phone)
  var performed = 0
  for index in claims.indices {
    if case .performed = machine.process(ExpressionSample(claims[index], source: .phone)) { performed += 1 }
  }
  return performed
}

@inline(never)
func judge(_ samples: [ExpressionSample]) -> Int {
  var machine = ExpressionDetector(source: .phone)
  var performed = 0
  for index in samples.indices { if case .performed = machine.process(samples[index]) { performed += 1 } }
  return performed
}

/// Processor time of this process in seconds.
func processorTime() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

func measure(_ what: String, _ work: () -> Int) {
  var rates: [Double] = []
  let before = allocation_count()
  var allocated: UInt64 = 0
  for _ in 0..<7 {
    let start = processorTime()
    var performed = 0
    for _ in 0..<1000 { performed += work() }
    rates.append(3 / (processorTime() - start))
    guard performed == 50_000 else { fatalError("\(performed) expressions were found, not 50000") }
    allocated = UInt64(allocation_count() - before)
  }
  rates.sort()
  func rounded(_ rate: Double) -> Double { (rate * 10).rounded() / 10 }
  print(
    "\(what): median \(rounded(rates[3])) million/s, slowest \(rounded(rates[0])) (goal 10); \(allocated) allocations in 21 million"
  )
}

measure("observations of 52 coefficients", { judge(claims) })
measure("samples", { judge(samples) })
