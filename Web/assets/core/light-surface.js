// Soft colors around the video during a light task: on the whole screen, in the order and at the times of the server.

/**
 * The only colors that are shown: of about the same luminance, none a saturated red, so that no change is a flash as
 * WCAG 2.3.1 defines it.
 */
export const lightColors = ["#bebebe", "#ffaaaa", "#95ce95", "#95b4ff", "#e7bc59", "#f399f3", "#59cbe1"];
/** Milliseconds between two changes, whatever the server says: at most one pair of changes a second. */
const shortestDwell = 480;
/**
 * Milliseconds after which a color is on the screen too late: the server looks for the response of the face for 650 ms, of which
 * the camera and the transmission of the frame need half.
 */
const latest = 300;

export class LightSurface {
  #section;
  /** Colors with their number in the sequence and the time from which they are due. */
  #due = [];
  #number = -1;
  #changedAt = -Infinity;
  #timer = 0;
  #tell;

  /** Calls `late` when a color of the sequence was skipped or was on the screen too late: the server would see another light. */
  constructor(section, late) {
    this.#section = section;
    this.#tell = late;
  }

  /** Shows the color of a step; `capturedAt` is the time of the frame that the step responds to. */
  show({ state, task }, capturedAt) {
    const { light, done = 0 } = task?.prompt ?? {};
    if (!light || !["instructing", "tracking"].includes(state)) {
      this.clear();
      return;
    }
    this.#open();
    if (light.until_ms === undefined && done === 0) this.#number = Math.min(this.#number, 0); // another attempt
    const at = capturedAt + light.until_ms;
    const first = { number: done, color: light.color, at: -Infinity, due: at - light.dwell_ms };
    const next = light.next.map((color, place) => {
      const due = at + place * light.dwell_ms;
      return { number: done + 1 + place, color, at: due, due };
    });
    this.#due = [first, ...next];
    this.#change();
  }

  /** Removes the surface. */
  clear() {
    clearTimeout(this.#timer);
    this.#due = [];
    this.#number = -1;
    if (!this.#section.hasAttribute("data-light")) return;
    this.#section.removeAttribute("data-light");
    this.#section.style.removeProperty("--light");
    if (this.#section.hasAttribute("popover")) this.#section.hidePopover?.();
    this.#section.removeAttribute("popover");
  }

  /** Covers the screen: in the top layer, which no element of the page around can clip. */
  #open() {
    if (this.#section.hasAttribute("data-light")) return;
    this.#section.setAttribute("data-light", lightColors[0]);
    this.#changedAt = performance.now();
    if (!this.#section.showPopover) return;
    this.#section.setAttribute("popover", "manual");
    this.#section.showPopover();
  }

  /** Shows the color that is due, and waits for the next one. */
  #change() {
    clearTimeout(this.#timer);
    const now = performance.now();
    const free = this.#changedAt + shortestDwell;
    const due = this.#due.filter(({ at, number }) => at <= now && number > this.#number).at(-1);
    if (due && now >= free) this.#set(due, now);
    const next = due && now < free ? free : this.#due.find(({ at, number }) => at > now && number > this.#number)?.at;
    if (next !== undefined) this.#timer = setTimeout(() => this.#change(), Math.max(next - now, 1));
  }

  #set({ number, color, due }, now) {
    const isSkipped = this.#number >= 0 && number > this.#number + 1;
    this.#number = number;
    if (!lightColors.includes(color)) return;
    if (this.#section.getAttribute("data-light") !== color) this.#changedAt = now;
    this.#section.setAttribute("data-light", color);
    this.#section.style.setProperty("--light", color);
    if (isSkipped) this.#tell();
    else if (number > 0) this.#watch(due);
  }

  /** Reports a color that is painted too late: when the second animation frame from now begins, the color has been painted. */
  #watch(due) {
    requestAnimationFrame(() => requestAnimationFrame((painted) => {
      if (painted - due > latest) this.#tell();
    }));
  }
}
