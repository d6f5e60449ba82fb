// Observations per second that the head turn state machine processes on one core, and its number of allocations.
//
// CAllocationCount counts every malloc, calloc and realloc of the process. The decision (last sample of a turn) may
// sort copies of the two movements; all other observations must not allocate. Run it alone, in release mode.
import CAllocationCount
import MienLiveness
import MienCore

/// Samples of one turn at 30 per second: waits, turns to 45° within a second, returns within a second; 90 in total.
func turn(jitter: Float) -> [HeadSample] {
  (0..<90).map { frame in
    let time = Double(frame) / 30
    let way = min(max(time - 0.7, 0), 1) - min(max(time - 1.8, 0), 1)
    let wobble = jitter * Float(frame % 3 - 1)
    let box = FaceBox(x: 0.3 + wobble / 100, y: 0.2, width: 0.4, height: 0.6)
    return HeadSample(at: MonotonicInstant.zero + .seconds(time), sight: .face(yaw: 45 * Float(way) + wobble, box: box))
  }
}

let sets = [turn(jitter: 0), turn(jitter: 0.3), turn(jitter: 0.8)]
let clock = ContinuousClock()
var rates: [Double] = []
var observed = 0
var allocations = 0
var machines = 0
let counted = allocation_count()
for _ in 0..<7 {
  var observations = 0
  let start = clock.now
  while observations < 10_000_000 {
    for samples in sets {
      var machine = HeadTurnStateMachine(side: .subjectLeft)
      machine.issue()
      machine.beginTracking(at: .zero)
      let before = allocation_count()
      var judging = before
      for sample in samples {
        judging = allocation_count()
        observations += 1
        if machine.process(sample) != .inProgress { break }
      }
      allocations += Int(judging - before)
      machines += 1
      guard machine.state == .success else { fatalError("a turn did not pass") }
    }
  }
  rates.append(Double(observations) / ((clock.now - start) / .seconds(1)))
  observed += observations
}
rates.sort()

func millions(_ rate: Double) -> Double { (rate / 1e5).rounded() / 10 }
print("observations: \(observed), the machines' reserve included in the time")
print(
  "median of \(rates.count) rounds: \(millions(rates[rates.count / 2])) million/s, slowest \(millions(rates[0])) (goal 10)"
)
print("heap allocations in these observations: \(allocations) (goal 0)")
print("heap allocations per machine, reserve and judging: \(Double(allocation_count() - counted) / Double(machines))")
print("size of a machine without its angles: \(MemoryLayout<HeadTurnStateMachine>.size) bytes")
if allocations != 0 { fatalError("an observation allocated") }
