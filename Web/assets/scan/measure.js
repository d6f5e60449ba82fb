// Distance between two points on the surface: selected by click, or by key at the cross in the center.

import { html } from "../core/dom.js";
import { millimeters } from "./format.js";

const stillness = 5; // pixels; a press that moves farther rotates the model
const markColour = 0xd0351a;

export class Measure {
  #room;
  #points = [];
  #marks = [];
  #line = null;
  #isOn = false;
  #down = null;
  #stop = new AbortController();

  label = html("p", { class: "view-label", dir: "auto", hidden: true });
  cross = html("span", { class: "view-cross", "aria-hidden": "true", hidden: true });
  /** Called with the status text. */
  told = () => {};

  /** Takes the viewer's `{ three, camera, scene, meshes, canvas, texts, size, draw }`. */
  constructor(room) {
    this.#room = room;
    const { canvas } = room;
    const options = { signal: this.#stop.signal };
    canvas.addEventListener("pointerdown", (event) => {
      this.#down = [event.clientX, event.clientY];
    }, options);
    canvas.addEventListener("pointerup", (event) => {
      const down = this.#down;
      this.#down = null;
      if (!this.#isOn || !down || Math.hypot(event.clientX - down[0], event.clientY - down[1]) > stillness) return;
      const { left, top, width, height } = canvas.getBoundingClientRect();
      this.#pick(((event.clientX - left) / width) * 2 - 1, 1 - ((event.clientY - top) / height) * 2);
    }, options);
  }

  turn(on) {
    this.#isOn = on;
    this.cross.hidden = !on;
    this.clear();
    if (on) this.told(this.#room.texts.text("scan.measure.first"));
  }

  pickCentre() {
    if (this.#isOn) this.#pick(0, 0);
  }

  clear() {
    const { scene } = this.#room;
    for (const part of [...this.#marks, this.#line]) {
      if (!part) continue;
      scene.remove(part);
      part.geometry.dispose();
      part.material.dispose();
    }
    this.#points = [];
    this.#marks = [];
    this.#line = null;
    this.label.hidden = true;
    this.told("");
    this.#room.draw();
  }

  close() {
    this.#stop.abort();
    this.clear();
  }

  /** Scales the marks to a constant size on the screen and moves the label to the midpoint of the line. */
  place() {
    const { three, camera, canvas } = this.#room;
    for (const mark of this.#marks) mark.scale.setScalar(camera.position.distanceTo(mark.position) * 0.006);
    if (!this.#line) return;
    const middle = new three.Vector3().addVectors(...this.#points).multiplyScalar(0.5).project(camera);
    this.label.style.left = `${((middle.x + 1) / 2) * canvas.clientWidth}px`;
    this.label.style.top = `${((1 - middle.y) / 2) * canvas.clientHeight}px`;
  }

  #pick(x, y) {
    const { three, camera, meshes, texts } = this.#room;
    const ray = new three.Raycaster();
    camera.updateMatrixWorld(); // the camera may have moved since the last frame
    ray.setFromCamera(new three.Vector2(x, y), camera);
    const [hit] = ray.intersectObjects(meshes, false);
    if (!hit) {
      this.told(texts.text("scan.measure.missed"));
      return;
    }
    if (this.#points.length === 2) this.clear();
    this.#points.push(hit.point.clone());
    this.#mark(hit.point);
    if (this.#points.length === 2) this.#join();
    else this.told(texts.text("scan.measure.second"));
    this.#room.draw();
  }

  #mark(point) {
    const { three, scene } = this.#room;
    const mark = new three.Mesh(
      new three.SphereGeometry(1, 16, 12), new three.MeshBasicMaterial({ color: markColour, depthTest: false }));
    mark.position.copy(point);
    mark.renderOrder = 2;
    this.#marks.push(mark);
    scene.add(mark);
  }

  #join() {
    const { three, scene, texts } = this.#room;
    this.#line = new three.Line(
      new three.BufferGeometry().setFromPoints(this.#points),
      new three.LineBasicMaterial({ color: markColour, depthTest: false }));
    this.#line.renderOrder = 1;
    scene.add(this.#line);
    const [from, to] = this.#points;
    const words = millimeters(from.distanceTo(to) * 1000, texts.locale);
    this.label.textContent = words;
    this.label.hidden = false;
    this.told(texts.text("scan.measure.distance", { distance: words }));
  }
}
