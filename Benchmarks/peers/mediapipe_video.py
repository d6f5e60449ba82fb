"""Reference implementation: MediaPipe FaceLandmarker in VIDEO mode with blend shapes, from JPEG bytes to all outputs.
Usage: mediapipe_video.py MODEL.task FOLDER-OF-JPEGS [FRAMES]; needs mediapipe==1.2.2 and opencv-python-headless.
Prints one JSON line. Pin it to one processor with taskset to compare one thread.
"""
import glob
import json
import sys
import time

import cv2
import mediapipe as mp
import numpy as np
from mediapipe.tasks import python as tasks
from mediapipe.tasks.python import vision

WARM_UP = 20
model, folder = sys.argv[1:3]
frames = int(sys.argv[3]) if len(sys.argv) > 3 else 300
jpegs = [np.fromfile(name, np.uint8) for name in sorted(glob.glob(folder + "/*.jpg"))]
landmarker = vision.FaceLandmarker.create_from_options(vision.FaceLandmarkerOptions(
    base_options=tasks.BaseOptions(model_asset_path=model), running_mode=vision.RunningMode.VIDEO,
    output_face_blendshapes=True, output_facial_transformation_matrixes=True, num_faces=1))
times, found = [], 0
for index in range(WARM_UP + frames):
    start = time.perf_counter()
    picture = cv2.cvtColor(cv2.imdecode(jpegs[index % len(jpegs)], cv2.IMREAD_COLOR), cv2.COLOR_BGR2RGB)
    seen = landmarker.detect_for_video(mp.Image(image_format=mp.ImageFormat.SRGB, data=picture), index * 33)
    if index >= WARM_UP:
        times.append((time.perf_counter() - start) * 1e3)
        found += bool(seen.face_landmarks)
mean = sum(times) / frames
times.sort()
print(json.dumps({
    "median_ms": round(times[frames // 2], 3), "p90_ms": round(times[9 * frames // 10], 3), "mean_ms": round(mean, 3),
    "frames": frames, "found": found, "mediapipe": mp.__version__}))
