// 3-D viewer of the surface: rotate, move, zoom, focus; crop to the subject; light, wireframe, colors; distance between two
// points.
//
// Lengths of the model are in meters. A frame is rendered only when something has changed.

import { html } from "../core/dom.js";
import { announce, button } from "./components.js";
import { firstDirection, robustExtent, roundLength, viewingDistance } from "./extent.js";
import { Measure } from "./measure.js";
import { ScaleBar } from "./scale-bar.js";
import { watchTaps } from "./taps.js";
import { ViewHelp } from "./view-help.js";

const library = new URL("../three/", import.meta.url);
const step = Math.PI / 24;
const plain = 0xc9cfcb;
const margin = 1.06;

/** Reason for a missing view: `no-webgl` or `no-library`. */
export class NoView extends Error {}

/**
 * Returns a viewer of the GLB in `bytes`; `kind` is what was scanned, `subject` the cube that holds it, in millimeters, if
 * the server found it. Throws a `NoView`.
 */
export async function makeViewer(bytes, texts, { kind = "object", subject = null } = {}) {
  if (!document.createElement("canvas").getContext("webgl2")) throw new NoView("no-webgl");
  let parts;
  try {
    parts = await Promise.all(["three.module.js", "OrbitControls.js", "GLTFLoader.js"].map((name) =>
      import(new URL(name, library).href)));
  } catch (cause) {
    throw new NoView("no-library", { cause });
  }
  const [three, { OrbitControls }, { GLTFLoader }] = parts;
  // Loads textures as image elements: the loader's default needs `connect-src blob:`, which no page here allows.
  const loader = new GLTFLoader().register((parser) => {
    parser.textureLoader = new three.TextureLoader(parser.options.manager);
    return { name: "pictures-as-elements" };
  });
  const model = await loader.parseAsync(bytes, "");
  return new Viewer(three, OrbitControls, model.scene, texts, kind, subject);
}

class Viewer {
  #three;
  #texts;
  #kind;
  #renderer;
  #scene;
  #camera;
  #controls;
  #lamp;
  #grid;
  #meshes = [];
  #pictures = new Map();
  #crop = null; // cube of the subject
  #isCropped = false;
  #extent;
  #size = 1;
  #front;
  #measure;
  #scale;
  #help;
  #asked = 0;
  #watch;
  #over = new AbortController();
  #stage;
  #canvas;
  #gliding = 0;

  element;

  constructor(three, OrbitControls, model, texts, kind, subject) {
    this.#three = three;
    this.#texts = texts;
    this.#kind = kind;
    try {
      this.#renderer = new three.WebGLRenderer({ antialias: true, alpha: true });
    } catch (cause) {
      throw new NoView("no-webgl", { cause });
    }
    this.#renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.#renderer.localClippingEnabled = true;
    this.#canvas = this.#renderer.domElement;
    Object.assign(this.#canvas, { tabIndex: 0, id: "view" });
    for (const [name, value] of [["role", "application"], ["aria-label", texts.text("scan.view3d")], ["aria-describedby", "view-keys"]]) {
      this.#canvas.setAttribute(name, value);
    }
    this.#scene = new three.Scene();
    this.#camera = new three.PerspectiveCamera(35, 1, 0.001, 100);
    this.#light();
    this.#take(model, subject);
    this.#controls = new OrbitControls(this.#camera, this.#canvas);
    this.#controls.addEventListener("change", () => this.#draw());
    this.#controls.addEventListener("start", () => this.#moved());
    this.#measure = new Measure({
      three, camera: this.#camera, canvas: this.#canvas, texts, hit: (x, y) => this.#hit(x, y), draw: () => this.#draw(),
    });
    this.#scale = new ScaleBar(texts);
    this.#help = new ViewHelp(texts);
    this.#build();
    if (this.#crop && kind === "face") this.#cut(true);
    this.reset();
    this.#canvas.addEventListener("keydown", (event) => this.#key(event));
    watchTaps(this.#canvas, {
      tap: (x, y) => this.#measure.pick(x, y),
      doubleTap: (x, y) => (this.#measure.isOn ? this.#measure.pick(x, y) : this.#focus(x, y)),
    }, this.#over.signal);
    this.#watch = new ResizeObserver(() => this.#fit());
    this.#watch.observe(this.#stage);
    addEventListener("fullscreenchange", () => this.#fit(), { signal: this.#over.signal });
  }

  /** Releases all GPU resources. */
  close() {
    cancelAnimationFrame(this.#asked);
    cancelAnimationFrame(this.#gliding);
    this.#watch.disconnect();
    this.#over.abort();
    this.#controls.dispose();
    for (const mesh of this.#meshes) {
      mesh.geometry.dispose();
      mesh.material.dispose();
      this.#pictures.get(mesh)?.dispose();
    }
    this.#grid.dispose();
    this.#renderer.dispose();
  }

  /** Shows the whole subject from the front and above. */
  reset() {
    const { Vector3 } = this.#three;
    cancelAnimationFrame(this.#gliding);
    const direction = firstDirection(this.#three, this.#front, this.#kind);
    this.#controls.target.copy(this.#extent.getCenter(new Vector3()));
    const far = margin * viewingDistance(this.#three, this.#extent, direction, this.#camera);
    this.#camera.position.copy(this.#controls.target).addScaledVector(direction, far);
    this.#camera.near = this.#size / 1000;
    this.#camera.far = this.#size * 100;
    this.#camera.updateProjectionMatrix();
    this.#controls.update();
    this.#measure.clear();
    this.#draw();
  }

  #light() {
    const { HemisphereLight, DirectionalLight } = this.#three;
    this.#lamp = new DirectionalLight(0xffffff, 2);
    this.#camera.add(this.#lamp, this.#lamp.target);
    this.#lamp.target.position.set(0, 0, -1);
    this.#turnLamp(-35);
    this.#scene.add(new HemisphereLight(0xffffff, 0x8a8f8c, 1.4), this.#camera);
  }

  /** Rotates the light, which moves with the camera: from behind it to either side. */
  #turnLamp(degrees) {
    const angle = (degrees * Math.PI) / 180;
    this.#lamp.position.set(Math.sin(angle), 0.5, Math.cos(angle) - 1);
  }

  /** Replaces the model's materials, and finds its extent and its front. */
  #take(model, subject) {
    const { Box3, Vector3, MeshStandardMaterial, DoubleSide, FrontSide } = this.#three;
    model.updateMatrixWorld(true);
    model.traverse((part) => {
      if (!part.isMesh) return;
      const picture = part.material.map;
      if (picture) this.#pictures.set(part, picture);
      part.material.dispose();
      if (!part.geometry.hasAttribute("normal")) part.geometry.computeVertexNormals();
      // A room is looked into from outside: the walls on the near side must not be in the way.
      part.material = new MeshStandardMaterial({ roughness: 0.9, side: this.#kind === "room" ? FrontSide : DoubleSide });
      this.#meshes.push(part);
    });
    if (subject) {
      const center = new Vector3(...subject.center).multiplyScalar(1 / 1000);
      this.#crop = new Box3().setFromCenterAndSize(center, new Vector3().setScalar((2 * subject.radius) / 1000));
    }
    this.#extent = robustExtent(this.#three, this.#meshes, this.#crop);
    const edges = this.#extent.getSize(new Vector3());
    this.#size = Math.max(edges.x, edges.y, edges.z) || 1;
    this.#front = this.#facing();
    this.#color(true);
    this.#scene.add(model, this.#ground(edges));
  }

  /** Grid of squares of a round length, at the lower end of the subject. */
  #ground(edges) {
    const { GridHelper, Vector3 } = this.#three;
    const cell = roundLength(this.#size / 5);
    const cells = 2 * Math.ceil((0.75 * Math.max(edges.x, edges.z, this.#size / 2)) / cell);
    const color = getComputedStyle(document.documentElement).getPropertyValue("--edge").trim() || "#7c8985";
    this.#grid = new GridHelper(cells * cell, cells, color, color);
    Object.assign(this.#grid.material, { transparent: true, opacity: 0.35 });
    this.#grid.position.copy(this.#extent.getCenter(new Vector3())).setY(this.#extent.min.y);
    return this.#grid;
  }

  /**
   * Returns the horizontal direction that most of the surface faces, since it was scanned from there; z if it faces all
   * directions.
   */
  #facing() {
    const { Vector3 } = this.#three;
    const sum = new Vector3();
    const normal = new Vector3();
    const place = new Vector3();
    let count = 0;
    for (const mesh of this.#meshes) {
      const normals = mesh.geometry.getAttribute("normal");
      const positions = mesh.geometry.getAttribute("position");
      // A few thousand evenly spaced vertices are as good as all of them.
      const stride = Math.max(1, Math.floor(normals.count / 20_000));
      for (let index = 0; index < normals.count; index += stride) {
        if (this.#crop && !this.#crop.containsPoint(place.fromBufferAttribute(positions, index).applyMatrix4(mesh.matrixWorld))) continue;
        sum.add(normal.fromBufferAttribute(normals, index).transformDirection(mesh.matrixWorld));
        count += 1;
      }
    }
    sum.y = 0;
    return sum.length() < 0.2 * count || count === 0 ? new Vector3(0, 0, 1) : sum.normalize();
  }

  get #isColored() {
    return this.#meshes.some((mesh) => this.#pictures.has(mesh) || mesh.geometry.hasAttribute("color"));
  }

  #build() {
    const texts = this.#texts;
    // Left is the left of the scene, in any text direction.
    const lamp = html("input", { type: "range", id: "lamp", dir: "ltr", min: -90, max: 90, step: 5, value: -35 });
    lamp.addEventListener("input", () => {
      this.#turnLamp(Number(lamp.value));
      this.#draw();
    });
    const measured = html("p", { class: "measured", id: "measured", role: "status", dir: "auto" });
    this.#stage = html("div", { class: "view-stage", dir: "ltr" }, this.#canvas, this.#measure.overlay, this.#measure.label, this.#measure.cross,
      html("div", { class: "view-notes" }, measured, this.#help.parts), this.#scale.element);
    const full = button("view-full", texts.text("scan.full"), () =>
      (document.fullscreenElement ? document.exitFullscreen() : this.element.requestFullscreen()), "button quiet");
    full.hidden = !document.fullscreenEnabled;
    this.element = html("figure", { class: "viewer", id: "viewer", "data-kind": this.#kind }, this.#stage,
      html("div", { class: "tools", role: "group", "aria-label": texts.text("scan.view3d") },
        this.#toggle("view-measure", "scan.measure", false, (on) => this.#measure.turn(on)),
        this.#crop ? this.#toggle("view-crop", "scan.crop", this.#kind === "face", (on) => this.#cut(on)) : [],
        this.#isColored ? this.#toggle("view-colors", "scan.colors", true, (on) => this.#color(on)) : [],
        this.#toggle("view-wires", "scan.wires", false, (on) => this.#wire(on)),
        html("label", { class: "lamp", for: "lamp" }, texts.text("scan.lamp"), lamp),
        button("view-reset", texts.text("scan.reset"), () => this.reset(), "button quiet"), full, this.#help.toggle));
    this.#measure.told = (words) => {
      measured.textContent = words;
    };
  }

  #toggle(id, key, isOn, action) {
    const made = button(id, this.#texts.text(key), () => {
      const on = made.getAttribute("aria-pressed") !== "true";
      made.setAttribute("aria-pressed", String(on));
      action(on);
    }, "button quiet");
    made.setAttribute("aria-pressed", String(isOn));
    return made;
  }

  /** Hides what is outside the subject's cube, or shows it again. */
  #cut(on) {
    const { Plane, Vector3 } = this.#three;
    this.#isCropped = on;
    const { min, max } = this.#crop;
    const planes = ["x", "y", "z"].flatMap((axis) => {
      const normal = new Vector3();
      normal[axis] = 1;
      return [new Plane(normal, -min[axis]), new Plane(normal.clone().negate(), max[axis])];
    });
    for (const { material } of this.#meshes) {
      material.clippingPlanes = on ? planes : null;
      material.needsUpdate = true;
    }
    this.#draw();
  }

  #color(on) {
    for (const mesh of this.#meshes) {
      const { material, geometry } = mesh;
      material.map = (on && this.#pictures.get(mesh)) || null;
      material.vertexColors = on && geometry.hasAttribute("color");
      material.color.set(material.map || material.vertexColors ? 0xffffff : plain);
      material.needsUpdate = true;
    }
    this.#draw();
  }

  #wire(on) {
    for (const { material } of this.#meshes) material.wireframe = on;
    this.#draw();
  }

  /** Returns the visible point of the surface at a place of the view, -1…1 right and up; `null` if there is none. */
  #hit(x, y) {
    const { Raycaster, Vector2 } = this.#three;
    const ray = new Raycaster();
    this.#camera.updateMatrixWorld(); // the camera may have moved since the last frame
    ray.setFromCamera(new Vector2(x, y), this.#camera);
    const found = ray.intersectObjects(this.#meshes, false).find(({ point }) => !this.#isCropped || this.#crop.containsPoint(point));
    return found?.point.clone() ?? null;
  }

  /** Moves the point of the surface at a place of the view into the center, and comes nearer. */
  #focus(x, y) {
    const point = this.#hit(x, y);
    if (!point) return;
    this.#moved();
    const offset = this.#camera.position.clone().sub(this.#controls.target);
    const from = this.#controls.target.clone();
    const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const began = performance.now();
    const glide = (now) => {
      const share = isStill ? 1 : Math.min(1, Math.max(0, (now - began) / 250));
      const eased = share * (2 - share);
      this.#controls.target.lerpVectors(from, point, eased);
      this.#camera.position.copy(this.#controls.target).addScaledVector(offset, 1 - 0.45 * eased);
      this.#controls.update();
      this.#draw();
      if (share < 1) this.#gliding = requestAnimationFrame(glide);
    };
    cancelAnimationFrame(this.#gliding);
    glide(began);
  }

  #moved() {
    cancelAnimationFrame(this.#gliding);
    this.#help.used();
  }

  #key(event) {
    const turns = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] };
    const scale = { "+": 1 / 1.1, "=": 1 / 1.1, "-": 1.1 }[event.key];
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (turns[event.key] && event.shiftKey) this.#shift(...turns[event.key]);
    else if (turns[event.key]) this.#orbit(...turns[event.key]);
    else if (scale) this.#camera.position.sub(this.#controls.target).multiplyScalar(scale).add(this.#controls.target);
    else if (event.key === "0" || event.key === "Home") this.reset();
    else if ((event.key === "Enter" || event.key === " ") && this.#measure.isOn) this.#measure.pick(0, 0);
    else if (event.key === "Enter" || event.key === " ") this.#focus(0, 0);
    else return;
    event.preventDefault();
    this.#moved();
    this.#controls.update();
    if (event.key === "Home") announce(this.#texts.text("scan.reset"));
  }

  #orbit(across, down) {
    const { Spherical, Vector3 } = this.#three;
    const from = new Vector3().subVectors(this.#camera.position, this.#controls.target);
    const place = new Spherical().setFromVector3(from);
    place.theta += across;
    place.phi += down;
    this.#camera.position.copy(this.#controls.target).add(from.setFromSpherical(place.makeSafe()));
  }

  #shift(across, down) {
    const { Vector3 } = this.#three;
    const way = new Vector3(across, -down, 0).applyQuaternion(this.#camera.quaternion)
      .multiplyScalar(this.#camera.position.distanceTo(this.#controls.target) * 0.4);
    this.#camera.position.add(way);
    this.#controls.target.add(way);
  }

  #fit() {
    const { clientWidth: width, clientHeight: height } = this.#stage;
    if (!width || !height) return;
    const before = this.#camera.aspect;
    this.#camera.aspect = width / height;
    // The first size determines the camera's distance.
    if (before === 1) this.reset();
    this.#camera.updateProjectionMatrix();
    this.#renderer.setSize(width, height, false);
    this.#draw();
  }

  #draw() {
    if (this.#asked) return;
    this.#asked = requestAnimationFrame(() => {
      this.#asked = 0;
      this.#measure.place();
      const distance = this.#camera.position.distanceTo(this.#controls.target);
      this.#scale.show(this.#canvas.clientHeight / (2 * distance * Math.tan((this.#camera.fov * Math.PI) / 360)));
      this.#renderer.render(this.#scene, this.#camera);
      this.#canvas.dataset.drawn = "";
    });
  }
}
