import MienRecordings

func seeds() -> [[UInt8]] { recordingSeeds(.observationLines) }

func fuzz(_ bytes: [UInt8]) {
  do throws(RecordingError) {
    _ = try ObservationJSONL.parseLine(ContiguousArray(bytes).span)
  } catch {
    promise(error.byte >= 0 && error.byte <= bytes.count, "an error lies within the line")
  }
  fuzzRecording(bytes, .observationLines)
}
