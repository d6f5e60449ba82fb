// The list of cameras, shown when there is more than one.

import { text } from "../shared/texts.js";

export class CameraChoice {
  #camera;
  #box = document.getElementById("choice");
  #list = document.getElementById("cameras");

  constructor(camera, onTrouble) {
    this.#camera = camera;
    this.#list.addEventListener("change", async () => {
      try {
        await camera.use(this.#list.value);
      } catch (error) {
        onTrouble(error);
      }
    });
    navigator.mediaDevices?.addEventListener?.("devicechange", () => this.refresh());
  }

  async refresh() {
    const cameras = await this.#camera.list();
    this.#box.hidden = cameras.length < 2;
    this.#list.replaceChildren(
      ...cameras.map(({ deviceId, label }, index) => {
        const name = label || text("camera.unnamed", { number: index + 1 });
        return new Option(name, deviceId, false, deviceId === this.#camera.deviceId);
      }),
    );
  }
}
