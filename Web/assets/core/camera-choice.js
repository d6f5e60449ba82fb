// List of cameras, shown if there is more than one.

export class CameraChoice {
  #camera;
  #texts;
  #box;
  #list;

  constructor(root, texts, camera, onTrouble) {
    this.#camera = camera;
    this.#texts = texts;
    this.#box = root.getElementById("choice");
    this.#list = root.getElementById("cameras");
    this.#list.addEventListener("change", async () => {
      try {
        await camera.use(this.#list.value);
      } catch (error) {
        if (error.code !== "leaseLost") onTrouble(error);
      }
    });
    navigator.mediaDevices?.addEventListener?.("devicechange", () => {
      if (camera.isOpen) this.refresh(); // camera labels are available once permission is granted
    });
  }

  async refresh() {
    const cameras = await this.#camera.list();
    this.#box.hidden = cameras.length < 2;
    this.#list.replaceChildren(
      ...cameras.map(({ deviceId, label }, index) => {
        const name = label || this.#texts.text("camera.unnamed", { number: index + 1 });
        return new Option(name, deviceId, false, deviceId === this.#camera.deviceId);
      }),
    );
  }
}
