// Delays between two attempts: doubled each time, and cut short when the network is back.

const shortest = 500;
const longest = 5_000;

export class BackOff {
  #next = shortest;

  reset() {
    this.#next = shortest;
  }

  async wait() {
    await waitOrOnline(this.#next);
    this.#next = Math.min(longest, this.#next * 2);
  }
}

export function waitOrOnline(milliseconds) {
  return new Promise((done) => {
    const finish = () => {
      clearTimeout(timer);
      removeEventListener("online", finish);
      done();
    };
    const timer = setTimeout(finish, milliseconds);
    addEventListener("online", finish);
  });
}
