import MienRecordings

func seeds() -> [[UInt8]] {
  recordingSeeds(.mediaPipe) + [
    Array(
      """
      [{"timestamp_ms":1.5,"face_blendshapes":[[{"category_name":"jawOpen","score":5e-1}]],
      "facial_transformation_matrixes":[[[1,0,0,1],[0,1,0,2],[0,0,1,-30],[0,0,0,1]]],"x":{"y":[null,true,false]}},
      {"timestampMs":2,"result":{"faceLandmarks":[]}}]
      """.utf8)
  ]
}

func fuzz(_ bytes: [UInt8]) { fuzzRecording(bytes, .mediaPipe) }
