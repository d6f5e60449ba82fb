// Extent of a model without its stray vertices, and the distance from which a camera has all of it in view.

const sampled = 40_000; // vertices; as good as all of them
const stray = 0.02;
/** Height of the first view above the horizon, in degrees. A face is looked at from its own height. */
const heights = { face: 8, object: 25, room: 25 };

/**
 * Returns the box between the 2nd and the 98th percentile of the vertices' coordinates. If `crop` holds some of the
 * vertices, only those count. The world matrices of the meshes must be current.
 */
export function robustExtent(three, meshes, crop) {
  const all = [[], [], []];
  const inside = [[], [], []];
  const point = new three.Vector3();
  const total = meshes.reduce((sum, mesh) => sum + mesh.geometry.getAttribute("position").count, 0);
  const step = Math.max(1, Math.floor(total / sampled));
  for (const mesh of meshes) {
    const positions = mesh.geometry.getAttribute("position");
    for (let index = 0; index < positions.count; index += step) {
      point.fromBufferAttribute(positions, index).applyMatrix4(mesh.matrixWorld);
      point.toArray().forEach((value, axis) => all[axis].push(value));
      if (crop?.containsPoint(point)) point.toArray().forEach((value, axis) => inside[axis].push(value));
    }
  }
  const ranges = (inside[0].length > 0 ? inside : all).map(range);
  return new three.Box3(new three.Vector3(...ranges.map(([least]) => least)), new three.Vector3(...ranges.map(([, most]) => most)));
}

function range(values) {
  if (values.length === 0) return [0, 0];
  const sorted = Float32Array.from(values).sort();
  const cut = Math.floor(sorted.length * stray);
  return [sorted[cut], sorted[sorted.length - 1 - cut]];
}

/** Returns the direction from the subject to the first camera: that of its front, raised. */
export function firstDirection(three, front, kind) {
  const height = three.MathUtils.degToRad(heights[kind] ?? heights.object);
  return new three.Vector3(front.x * Math.cos(height), Math.sin(height), front.z * Math.cos(height)).normalize();
}

/** Returns the distance from the box's center at which a camera in this direction has all corners in view. */
export function viewingDistance(three, box, direction, camera) {
  const up = new three.Vector3(0, 1, 0);
  const right = new three.Vector3().crossVectors(up, direction).normalize();
  const above = new three.Vector3().crossVectors(direction, right);
  const center = box.getCenter(new three.Vector3());
  const high = Math.tan((camera.fov * Math.PI) / 360);
  const wide = high * camera.aspect;
  let distance = 0;
  for (let corner = 0; corner < 8; corner += 1) {
    const from = new three.Vector3(
      corner & 1 ? box.max.x : box.min.x, corner & 2 ? box.max.y : box.min.y, corner & 4 ? box.max.z : box.min.z).sub(center);
    const ahead = from.dot(direction);
    distance = Math.max(distance, ahead + Math.abs(from.dot(right)) / wide, ahead + Math.abs(from.dot(above)) / high);
  }
  return distance;
}

/** Returns the largest of 1, 2 or 5 times a power of ten that is not above `value`. */
export function roundLength(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  return [5, 2, 1].find((factor) => factor * power <= value * (1 + 1e-9)) * power;
}
