import MienRecordings

func seeds() -> [[UInt8]] {
  recordingSeeds(.liveLinkFace) + [
    Array("\u{FEFF}JawOpen,Timecode,BlendshapeCount\r\n\"0.5\",23:59:59:29,1\r\n1,00:00:00:00.5,1".utf8)
  ]
}

func fuzz(_ bytes: [UInt8]) { fuzzRecording(bytes, .liveLinkFace) }
