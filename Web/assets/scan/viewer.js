// 3-D viewer of the surface: rotate, move, zoom; light, wireframe, colors; distance between two points.
//
// Lengths of the model are in meters. A frame is rendered only when something has changed.

import { html } from "../core/dom.js";
import { Measure } from "./measure.js";
import { button, announce } from "./components.js";

const library = new URL("../three/", import.meta.url);
const step = Math.PI / 24;
const plain = 0xc9cfcb;

/** Reason for a missing view: `no-webgl` or `no-library`. */
export class NoView extends Error {}

/** Returns a viewer of the GLB in `bytes`. Throws a `NoView`. */
export async function makeViewer(bytes, texts) {
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
  return new Viewer(three, OrbitControls, model.scene, texts);
}

class Viewer {
  #three;
  #texts;
  #renderer;
  #scene;
  #camera;
  #controls;
  #lamp;
  #meshes = [];
  #pictures = new Map();
  #size = 1;
  #front;
  #measure;
  #asked = 0;
  #watch;
  #still;
  #stage;
  #canvas;

  element;

  constructor(three, OrbitControls, model, texts) {
    this.#three = three;
    this.#texts = texts;
    try {
      this.#renderer = new three.WebGLRenderer({ antialias: true, alpha: true });
    } catch (cause) {
      throw new NoView("no-webgl", { cause });
    }
    this.#renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.#canvas = this.#renderer.domElement;
    Object.assign(this.#canvas, { tabIndex: 0, id: "view" });
    for (const [name, value] of [["role", "application"], ["aria-label", texts.text("scan.view3d")], ["aria-describedby", "view-keys"]]) {
      this.#canvas.setAttribute(name, value);
    }
    this.#scene = new three.Scene();
    this.#camera = new three.PerspectiveCamera(35, 1, 0.001, 100);
    this.#light();
    this.#take(model);
    this.#controls = new OrbitControls(this.#camera, this.#canvas);
    this.#controls.addEventListener("change", () => this.#draw());
    this.#measure = new Measure({
      three, camera: this.#camera, scene: this.#scene, meshes: this.#meshes, canvas: this.#canvas, texts,
      size: this.#size, draw: () => this.#draw(),
    });
    this.#build();
    this.reset();
    this.#canvas.addEventListener("keydown", (event) => this.#key(event));
    this.#watch = new ResizeObserver(() => this.#fit());
    this.#watch.observe(this.#stage);
    this.#still = new AbortController();
    addEventListener("fullscreenchange", () => this.#fit(), { signal: this.#still.signal });
  }

  /** Releases all GPU resources. */
  close() {
    cancelAnimationFrame(this.#asked);
    this.#watch.disconnect();
    this.#still.abort();
    this.#measure.close();
    this.#controls.dispose();
    for (const mesh of this.#meshes) {
      mesh.geometry.dispose();
      mesh.material.dispose();
      this.#pictures.get(mesh)?.dispose();
    }
    this.#renderer.dispose();
  }

  /** Shows the whole model from the front. */
  reset() {
    this.#controls.target.set(0, 0, 0);
    const far = (this.#size / 2 / Math.tan((this.#camera.fov * Math.PI) / 360)) * 1.15;
    this.#camera.position.copy(this.#front).multiplyScalar(far / Math.min(1, this.#camera.aspect));
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

  /** Centers the model at the origin and replaces its materials. */
  #take(model) {
    const { Box3, Vector3, MeshStandardMaterial, DoubleSide } = this.#three;
    model.updateMatrixWorld(true);
    const box = new Box3().setFromObject(model);
    const extent = box.getSize(new Vector3());
    this.#size = Math.max(extent.x, extent.y, extent.z) || 1;
    model.position.sub(box.getCenter(new Vector3()));
    model.traverse((part) => {
      if (!part.isMesh) return;
      const picture = part.material.map;
      if (picture) this.#pictures.set(part, picture);
      part.material.dispose();
      if (!part.geometry.hasAttribute("normal")) part.geometry.computeVertexNormals();
      part.material = new MeshStandardMaterial({ roughness: 0.9, side: DoubleSide });
      this.#meshes.push(part);
    });
    this.#front = this.#facing();
    this.#color(true);
    this.#scene.add(model);
  }

  /**
   * Returns the horizontal direction that most of the surface faces, since it was scanned from there; z if it faces all
   * directions.
   */
  #facing() {
    const { Vector3 } = this.#three;
    const sum = new Vector3();
    const normal = new Vector3();
    let count = 0;
    for (const mesh of this.#meshes) {
      const normals = mesh.geometry.getAttribute("normal");
      // A few thousand evenly spaced vertices are as good as all of them.
      const step = Math.max(1, Math.floor(normals.count / 5000));
      for (let index = 0; index < normals.count; index += step) {
        sum.add(normal.fromBufferAttribute(normals, index).transformDirection(mesh.matrixWorld));
        count += 1;
      }
    }
    sum.y = 0;
    return sum.length() < 0.2 * count ? new Vector3(0, 0, 1) : sum.normalize();
  }

  get #isColoured() {
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
    this.#stage = html("div", { class: "view-stage", dir: "ltr" }, this.#canvas, this.#measure.label, this.#measure.cross);
    const full = button("view-full", texts.text("scan.full"), () =>
      (document.fullscreenElement ? document.exitFullscreen() : this.element.requestFullscreen()), "button quiet");
    full.hidden = !document.fullscreenEnabled;
    this.element = html("figure", { class: "viewer", id: "viewer" }, this.#stage,
      html("div", { class: "tools", role: "group", "aria-label": texts.text("scan.view3d") },
        this.#toggle("view-measure", "scan.measure", false, (on) => this.#measure.turn(on)),
        this.#isColoured ? this.#toggle("view-colors", "scan.colors", true, (on) => this.#color(on)) : [],
        this.#toggle("view-wires", "scan.wires", false, (on) => this.#wire(on)),
        html("label", { class: "lamp", for: "lamp" }, texts.text("scan.lamp"), lamp),
        button("view-reset", texts.text("scan.reset"), () => this.reset(), "button quiet"), full),
      html("p", { class: "measured", id: "measured", role: "status" }),
      html("figcaption", { id: "view-keys" }, texts.text("scan.view3d.keys")));
    this.#measure.told = (words) => {
      this.element.querySelector("#measured").textContent = words;
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

  #key(event) {
    const turns = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] };
    const scale = { "+": 1 / 1.1, "=": 1 / 1.1, "-": 1.1 }[event.key];
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (turns[event.key] && event.shiftKey) this.#shift(...turns[event.key]);
    else if (turns[event.key]) this.#orbit(...turns[event.key]);
    else if (scale) this.#camera.position.sub(this.#controls.target).multiplyScalar(scale).add(this.#controls.target);
    else if (event.key === "0" || event.key === "Home") this.reset();
    else if (event.key === "Enter" || event.key === " ") this.#measure.pickCentre();
    else return;
    event.preventDefault();
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
      this.#renderer.render(this.#scene, this.#camera);
      this.#canvas.dataset.drawn = "";
    });
  }
}
