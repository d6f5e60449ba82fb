"""Tests of surfaces and measurements, read back with other programs."""

import json
import zipfile

import cv2
import numpy as np

from cli import scan_folders as scans
from cli.commands import BALL, WORK, as_json, ball, decoded, mien, video


def test_other_programs_read_surfaces():
    import trimesh
    from pxr import Usd, UsdGeom

    folder = WORK / "foreign"
    folder.mkdir()
    scan = folder / "depth_scan.bin"
    scan.write_bytes(ball())
    extents = []
    for name in ["ply", "glb", "obj", "stl"]:
        target = folder / f"ball.{name}"
        report = json.loads(mien("scan", "reconstruct", scan, "-o", target, *BALL, "--voxel", "5mm", "--json").stdout)
        mesh = trimesh.load(target, force="mesh", process=False)
        assert len(mesh.faces) == report["triangles"], (name, len(mesh.faces), report)
        # STL triangles share no vertices.
        assert len(mesh.vertices) == (3 * report["triangles"] if name == "stl" else report["vertices"]), name
        # The front of a ball of 10 cm radius: the normals point towards the camera, along +z.
        assert (mesh.face_normals[:, 2] > -0.2).mean() > 0.95, name
        extents.append(mesh.bounds)
    target = folder / "ball.usdz"
    report = json.loads(mien("scan", "reconstruct", scan, "-o", target, *BALL, "--voxel", "5mm", "--json").stdout)
    stage = Usd.Stage.Open(str(target))
    assert UsdGeom.GetStageMetersPerUnit(stage) == 1 and UsdGeom.GetStageUpAxis(stage) == "Y"
    meshes = [UsdGeom.Mesh(prim) for prim in stage.Traverse() if prim.IsA(UsdGeom.Mesh)]
    assert len(meshes) == 1
    points = meshes[0].GetPointsAttr().Get()
    counts = meshes[0].GetFaceVertexCountsAttr().Get()
    assert len(points) == report["vertices"] and list(counts) == [3] * report["triangles"]
    assert len(meshes[0].GetFaceVertexIndicesAttr().Get()) == 3 * report["triangles"]
    extents.append([[min(p[axis] for p in points) for axis in range(3)], [max(p[axis] for p in points) for axis in range(3)]])
    for bounds in extents[1:]:
        assert all(abs(a - b) < 2e-5 for one, other in zip(extents[0], bounds) for a, b in zip(one, other)), extents
    size = [extents[0][1][axis] - extents[0][0][axis] for axis in range(2)]
    # 25 pixels to each side, 0.5 to 0.6 m away, with the default focal length of 106.
    assert all(0.21 < edge < 0.27 for edge in size), size


def write_colored_scan(place):
    """Writes a scan of a slope with one colorful camera image and returns that image."""
    scans.folder(place, frames=6)
    down, across = np.mgrid[0:1440, 0:1920]
    squares = ((down // 24 + across // 24) % 2) * 110
    picture = np.dstack([60 + across / 20, 40 + squares, 200 - down / 12]).astype(np.uint8)
    (place / "frame_00000.jpg").write_bytes(cv2.imencode(".jpg", picture, (cv2.IMWRITE_JPEG_QUALITY, 97))[1].tobytes())
    return picture


def texture_difference(picture, corners, places, texture):
    """Returns the mean difference, 0 to 255, between a texture and the camera image at the centers of triangles.

    `corners` are world positions by triangle; `places` are texture coordinates from the lower left corner.
    """
    middles = np.asarray(corners, float).mean(1) - [0, 1.5, 0]
    columns, rows = 960 - 1440 * middles[:, 0] / middles[:, 2], 720 + 1440 * middles[:, 1] / middles[:, 2]
    inside = (columns > 4) & (rows > 4) & (columns < 1915) & (rows < 1435)
    assert inside.sum() > 300, inside.sum()
    at = np.asarray(places, float).mean(1)[inside]
    seen = texture[((1 - at[:, 1]) * texture.shape[0]).astype(int), (at[:, 0] * texture.shape[1]).astype(int)].astype(float)
    truth = picture[rows[inside].round().astype(int), columns[inside].round().astype(int)].astype(float)
    return np.median(np.abs(seen - truth))


def picture_of_glb(glb):
    """Extracts the only image of a binary glTF as its JSON describes it."""
    length = int.from_bytes(glb[12:16], "little")
    reported, start = json.loads(glb[20:20 + length]), 28 + length
    source = reported["textures"][reported["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"]["index"]]["source"]
    view = reported["bufferViews"][reported["images"][source]["bufferView"]]
    return glb[start + view["byteOffset"]:start + view["byteOffset"] + view["byteLength"]]


def test_other_programs_read_a_texture():
    import trimesh
    from pxr import Usd, UsdGeom, UsdShade

    folder = WORK / "textured"
    picture = write_colored_scan(folder / "scan")
    for name in ["glb", "obj"]:
        target = folder / f"wall.{name}"
        reported = json.loads(mien("scan", "reconstruct", folder / "scan", "-o", target, "--voxel", "10mm", "--json").stdout)
        assert reported["texture"]["triangles"] > 0.9 * reported["triangles"], reported
        mesh = trimesh.load(target, force="mesh", process=False)
        assert len(mesh.faces) == reported["triangles"], name
        image = decoded(picture_of_glb(target.read_bytes()) if name == "glb" else (folder / "wall.jpg").read_bytes())
        assert image.shape[:2] == (reported["texture"]["height"], reported["texture"]["width"])
        off = texture_difference(picture, mesh.triangles, mesh.visual.uv[mesh.faces], image)
        assert off < 6, (name, off)
        plain = mien("scan", "reconstruct", folder / "scan", "-o", folder / f"plain.{name}", "--voxel", "10mm",
                     "--no-texture", "--json").stdout
        assert "texture" not in json.loads(plain)
        assert (b'"images"' if name == "glb" else b"\nvt ") not in (folder / f"plain.{name}").read_bytes(), name
    target = folder / "wall.usdz"
    mien("scan", "reconstruct", folder / "scan", "-o", target, "--voxel", "10mm", "--texture-size", 2048)
    stage = Usd.Stage.Open(str(target))
    mesh = next(UsdGeom.Mesh(prim) for prim in stage.Traverse() if prim.IsA(UsdGeom.Mesh))
    places = UsdGeom.PrimvarsAPI(mesh).GetPrimvar("st")
    assert places.GetInterpolation() == "faceVarying"
    shader = UsdShade.Shader(stage.GetPrimAtPath("/Scan/Material/Picture"))
    assert shader.GetInput("file").Get().path == "scan.jpg"
    with zipfile.ZipFile(target) as archive:
        image = decoded(archive.read("scan.jpg"))
    points = np.asarray(mesh.GetPointsAttr().Get())[np.asarray(mesh.GetFaceVertexIndicesAttr().Get())].reshape(-1, 3, 3)
    off = texture_difference(picture, points, np.asarray(places.ComputeFlattened()).reshape(-1, 3, 2), image)
    assert off < 6 and max(image.shape) <= 2048, off
    # Without images there is no texture, and the report has none.
    mien("scan", "reconstruct", folder / "scan", "-o", target, "--texture-size", 20, expect=64)
    bare = scans.folder(folder / "bare")
    reported = json.loads(mien("scan", "reconstruct", bare, "-o", folder / "bare.glb", "--voxel", "10mm", "--json").stdout)
    assert "texture" not in reported


def test_measures_faces_and_rejects_others():
    run = mien("scan", "measure", scans.folder(WORK / "faceless"), "--json", expect=1)
    assert json.loads(run.stdout)["measures"] == [], run.stdout
    mien("scan", "measure", WORK / "faceless", "--field-of-view", 5, expect=64)
    mien("scan", "measure", WORK / "no-such-scan", expect=2)


def test_measures_a_real_face_in_any_camera_orientation():
    video("")
    upright, camera = scans.real_face(WORK / "real-face")
    turned, quarter = scans.real_face(WORK / "real-face-turned", turned=True)
    found = []
    for place, options in [(upright, camera), (turned, quarter)]:
        reply = as_json(mien("scan", "measure", place, *options, "--json"))
        assert reply["views"] == 1 and reply["left_out"] == {}, reply
        found.append({row["measure"]: row for row in reply["measures"]})
        assert len(found[-1]) == 11
        # Range of nine in ten adults, widened by the uncertainty.
        bounds = {"interpupillary-distance": (54, 74), "intercanthal-width": (26, 42), "biocular-width": (80, 104),
                  "nose-width": (28, 46), "mouth-width": (42, 62), "face-height": (98, 132)}
        for name, (least, most) in bounds.items():
            row = found[-1][name]
            assert least - row["uncertainty_mm"] <= row["mm"] <= most + row["uncertainty_mm"], row
            assert 3 < row["uncertainty_mm"] < 6, row
    for name, row in found[0].items():
        # The camera's orientation changes the landmark model's input, not the measurements.
        assert abs(row["mm"] - found[1][name]["mm"]) < row["uncertainty_mm"] + found[1][name]["uncertainty_mm"], name


def test_scan_without_a_surface_writes_nothing():
    scan = WORK / "no-surface" / "depth_scan.bin"
    scan.parent.mkdir()
    scan.write_bytes(bytes(128 * 96 * 2 * 3))
    target = scan.parent / "none.ply"
    run = mien("scan", "reconstruct", scan, "-o", target, *BALL, expect=2)
    assert "measurement" in run.stderr and not target.exists(), run.stderr
    mien("scan", "reconstruct", scan, "-o", scan.parent / "none.doc", *BALL, expect=64)
    mien("scan", "reconstruct", scan, "-o", target, *BALL, "--voxel", "2km", expect=64)
    mien("scan", "render", WORK / "no-such-scan", "-o", target, expect=2)
