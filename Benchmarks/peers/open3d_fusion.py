#!/usr/bin/env python3
"""Runs Open3D's ScalableTSDFVolume on the recording of FusionBenchmark (see its Recording.swift) in one thread.

    open3d_fusion.py RECORDING FOLDER          fuses 60 frames at 4 mm and 2 mm; writes FOLDER/vertices-<mm>.f32
    open3d_fusion.py --distances MESH.ply REFERENCE.obj    distances of a mesh's vertices from another mesh
"""

import os
import sys

os.environ["OMP_NUM_THREADS"] = "1"
if hasattr(os, "sched_setaffinity"):
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})

import json
import statistics
import time

import numpy as np
import open3d as o3d

WIDTH, HEIGHT, COUNT = 256, 192, 300


def fuse(recording, folder):
    numbers = np.fromfile(recording, "<f4").reshape(COUNT, 16 + WIDTH * HEIGHT)[::5]
    # Converts ARKit's camera axes to OpenCV's: y and z are flipped.
    flip = np.diag([1.0, -1.0, -1.0, 1.0])
    camera = o3d.camera.PinholeCameraIntrinsic(WIDTH, HEIGHT, 230, 230, 127.5, 95.5)
    black = o3d.geometry.Image(np.zeros((HEIGHT, WIDTH, 3), np.uint8))
    for millimeters in (4, 2):
        voxel = millimeters / 1000
        volume = o3d.pipelines.integration.ScalableTSDFVolume(
            voxel_length=voxel, sdf_trunc=5 * voxel,
            color_type=o3d.pipelines.integration.TSDFVolumeColorType.NoColor)
        times = []
        for frame in numbers:
            depth = np.ascontiguousarray(frame[16:].reshape(HEIGHT, WIDTH))
            extrinsic = np.linalg.inv(frame[:16].reshape(4, 4).astype(np.float64) @ flip)
            start = time.perf_counter()
            image = o3d.geometry.RGBDImage.create_from_color_and_depth(
                black, o3d.geometry.Image(depth), depth_scale=1.0, depth_trunc=1.0, convert_rgb_to_intensity=False)
            volume.integrate(image, camera, extrinsic)
            times.append((time.perf_counter() - start) * 1e3)
        extraction = []
        for _ in range(3):
            start = time.perf_counter()
            mesh = volume.extract_triangle_mesh()
            extraction.append((time.perf_counter() - start) * 1e3)
        np.asarray(mesh.vertices, "<f4").tofile(f"{folder}/vertices-{millimeters}.f32")
        print(json.dumps({
            "voxel_mm": millimeters, "frame_ms": round(statistics.median(times), 3),
            "mesh_ms": round(statistics.median(extraction), 3), "triangles": len(mesh.triangles)}))


def distances(path, reference):
    mesh = o3d.io.read_triangle_mesh(path)
    scene = o3d.t.geometry.RaycastingScene()
    scene.add_triangles(o3d.t.geometry.TriangleMesh.from_legacy(o3d.io.read_triangle_mesh(reference)))
    points = o3d.core.Tensor(np.asarray(mesh.vertices, np.float32))
    off = scene.compute_distance(points).numpy() * 1000
    print(json.dumps({
        "vertices": len(off), "median_mm": round(float(np.median(off)), 1), "mean_mm": round(float(off.mean()), 1),
        "p75_mm": round(float(np.percentile(off, 75)), 1), "p90_mm": round(float(np.percentile(off, 90)), 1),
        "within_2cm": round(float((off < 20).mean()), 3)}))


if sys.argv[1] == "--distances":
    distances(sys.argv[2], sys.argv[3])
else:
    fuse(sys.argv[1], sys.argv[2])
