// QR codes (ISO/IEC 18004) of a text: byte mode, error correction level M, versions 1 to 25.

import { svg } from "./dom.js";

/** Error correction codewords of a block, and number of blocks, of each version at level M. */
const correction = [
  10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26, 26, 28, 28, 28, 28,
];
const blockCounts = [1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16, 17, 17, 18, 20, 21];
/** Quiet zone around the symbol, in modules. */
const margin = 4;

/** Powers of 2 in GF(256) with the polynomial 0x11d, and their logarithms. */
const [powers, logarithms] = (() => {
  const [power, logarithm] = [new Uint8Array(255), new Uint8Array(256)];
  for (let exponent = 0, value = 1; exponent < 255; exponent += 1) {
    power[exponent] = value;
    logarithm[value] = exponent;
    value = (value << 1) ^ (value & 0x80 ? 0x11d : 0);
  }
  return [power, logarithm];
})();

/**
 * Returns the modules of the smallest symbol for a text: an array of rows of booleans, `true` for dark. Throws a
 * `RangeError` for texts that are too long.
 */
export function qrModules(text) {
  const bytes = new TextEncoder().encode(text);
  const version = versionFor(bytes.length);
  const codewords = interleaved(dataCodewords(bytes, version), version);
  let best = null;
  for (let mask = 0; mask < 8; mask += 1) {
    const symbol = new QRSymbol(version);
    symbol.place(codewords, mask);
    const penalty = penaltyOf(symbol.rows);
    if (best === null || penalty < best.penalty) best = { penalty, rows: symbol.rows };
  }
  return best.rows;
}

/** Returns an image of a text's QR code, dark on white in every color scheme. */
export function qrImage(text, label) {
  const rows = qrModules(text);
  const size = rows.length + 2 * margin;
  const path = rows.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x + margin} ${y + margin}h1v1h-1z` : "")));
  return svg("svg", { class: "qr", viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": label },
    svg("rect", { width: size, height: size, fill: "#fff" }),
    svg("path", { d: path.join(""), fill: "#000", "shape-rendering": "crispEdges" }));
}

/** Number of modules of a version that hold data and error correction. */
function dataModules(version) {
  const alignments = version === 1 ? 0 : Math.floor(version / 7) + 2;
  let count = (16 * version + 128) * version + 64;
  if (version > 1) count -= (25 * alignments - 10) * alignments - 55;
  return version >= 7 ? count - 36 : count;
}

function dataCapacity(version) {
  return Math.floor(dataModules(version) / 8) - correction[version - 1] * blockCounts[version - 1];
}

function versionFor(length) {
  for (let version = 1; version <= correction.length; version += 1) {
    if (4 + lengthBits(version) + 8 * length <= 8 * dataCapacity(version)) return version;
  }
  throw new RangeError(`qr-code: ${length} bytes are too many`);
}

function lengthBits(version) {
  return version < 10 ? 8 : 16;
}

function dataCodewords(bytes, version) {
  const bits = [];
  const append = (value, count) => {
    for (let bit = count - 1; bit >= 0; bit -= 1) bits.push((value >> bit) & 1);
  };
  append(0b0100, 4); // byte mode
  append(bytes.length, lengthBits(version));
  for (const byte of bytes) append(byte, 8);
  const capacity = 8 * dataCapacity(version);
  append(0, Math.min(4, capacity - bits.length));
  append(0, (8 - (bits.length % 8)) % 8);
  for (let pad = 0xec; bits.length < capacity; pad ^= 0xec ^ 0x11) append(pad, 8);
  const codewords = [];
  for (let at = 0; at < bits.length; at += 8) codewords.push(bits.slice(at, at + 8).reduce((sum, bit) => 2 * sum + bit, 0));
  return codewords;
}

/** Splits data into blocks, adds error correction to each, and returns the codewords in their order in the symbol. */
function interleaved(data, version) {
  const [extra, count] = [correction[version - 1], blockCounts[version - 1]];
  const short = Math.floor(data.length / count);
  const longer = data.length % count;
  const blocks = [];
  for (let index = 0, at = 0; index < count; index += 1) {
    const length = short + (index < count - longer ? 0 : 1);
    blocks.push(data.slice(at, at + length));
    at += length;
  }
  const corrections = blocks.map((block) => remainder(block, generator(extra)));
  const pick = (lists, length) => Array.from({ length }, (_, at) => lists.flatMap((list) => list.slice(at, at + 1))).flat();
  return [...pick(blocks, short + 1), ...pick(corrections, extra)];
}

function product(left, right) {
  return left === 0 || right === 0 ? 0 : powers[(logarithms[left] + logarithms[right]) % 255];
}

/** Coefficients of the Reed–Solomon generator polynomial, without the leading 1. */
function generator(degree) {
  let result = Array(degree).fill(0);
  result[degree - 1] = 1;
  for (let root = 0; root < degree; root += 1) {
    result = result.map((value, at) => product(value, powers[root]) ^ (result[at + 1] ?? 0));
  }
  return result;
}

function remainder(data, divisor) {
  const result = Array(divisor.length).fill(0);
  for (const value of data) {
    const factor = value ^ result.shift();
    result.push(0);
    divisor.forEach((coefficient, at) => {
      result[at] ^= product(coefficient, factor);
    });
  }
  return result;
}

const masks = [
  (x, y) => (x + y) % 2, (_, y) => y % 2, (x) => x % 3, (x, y) => (x + y) % 3,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2, (x, y) => ((x * y) % 2) + ((x * y) % 3),
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2, (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2,
];

/** Modules of a symbol: first those of the function patterns, then those of the codewords. */
class QRSymbol {
  #version;
  #size;
  #fixed;
  rows;

  constructor(version) {
    this.#version = version;
    this.#size = 17 + 4 * version;
    const square = () => Array.from({ length: this.#size }, () => Array(this.#size).fill(false));
    this.rows = square();
    this.#fixed = square();
    this.#drawPatterns();
  }

  place(codewords, mask) {
    this.#drawFormat(mask);
    let bit = 0;
    for (let right = this.#size - 1; right >= 1; right -= 2) {
      if (right === 6) right = 5; // the column of the timing pattern
      for (let step = 0; step < this.#size; step += 1) {
        for (const x of [right, right - 1]) {
          const y = ((right + 1) & 2) === 0 ? this.#size - 1 - step : step;
          if (this.#fixed[y][x]) continue;
          const value = ((codewords[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1;
          this.rows[y][x] = (value === 1) !== (masks[mask](x, y) === 0);
          bit += 1;
        }
      }
    }
  }

  #set(x, y, dark) {
    if (x < 0 || y < 0 || x >= this.#size || y >= this.#size) return;
    this.rows[y][x] = Boolean(dark);
    this.#fixed[y][x] = true;
  }

  #drawPatterns() {
    const last = this.#size - 1;
    for (let at = 0; at <= last; at += 1) {
      this.#set(6, at, at % 2 === 0);
      this.#set(at, 6, at % 2 === 0);
    }
    for (const [x, y] of [[3, 3], [last - 3, 3], [3, last - 3]]) this.#drawRings(x, y, 4, [2, 4]);
    const centers = this.#alignmentCenters();
    const [first, end] = [centers[0], centers.at(-1)];
    for (const x of centers) {
      for (const y of centers) {
        const isFinder = (x === first && y === first) || (x === first && y === end) || (x === end && y === first);
        if (!isFinder) this.#drawRings(x, y, 2, [1]);
      }
    }
    this.#drawFormat(0);
    this.#drawVersion();
  }

  #drawRings(centerX, centerY, reach, light) {
    for (let dy = -reach; dy <= reach; dy += 1) {
      for (let dx = -reach; dx <= reach; dx += 1) {
        this.#set(centerX + dx, centerY + dy, !light.includes(Math.max(Math.abs(dx), Math.abs(dy))));
      }
    }
  }

  #alignmentCenters() {
    if (this.#version === 1) return [];
    const count = Math.floor(this.#version / 7) + 2;
    const step = 2 * Math.ceil((this.#size - 13) / (2 * count - 2));
    const centers = Array.from({ length: count - 1 }, (_, index) => this.#size - 7 - index * step);
    return [6, ...centers.reverse()];
  }

  #drawFormat(mask) {
    const data = mask; // level M is 0b00
    let rest = data;
    for (let step = 0; step < 10; step += 1) rest = (rest << 1) ^ ((rest >> 9) * 0x537);
    const bits = ((data << 10) | rest) ^ 0x5412;
    const bit = (index) => (bits >> index) & 1;
    const last = this.#size - 1;
    for (let index = 0; index < 6; index += 1) this.#set(8, index, bit(index));
    this.#set(8, 7, bit(6));
    this.#set(8, 8, bit(7));
    this.#set(7, 8, bit(8));
    for (let index = 9; index < 15; index += 1) this.#set(14 - index, 8, bit(index));
    for (let index = 0; index < 8; index += 1) this.#set(last - index, 8, bit(index));
    for (let index = 8; index < 15; index += 1) this.#set(8, this.#size - 15 + index, bit(index));
    this.#set(8, this.#size - 8, true);
  }

  #drawVersion() {
    if (this.#version < 7) return;
    let rest = this.#version;
    for (let step = 0; step < 12; step += 1) rest = (rest << 1) ^ ((rest >> 11) * 0x1f25);
    const bits = (this.#version << 12) | rest;
    for (let index = 0; index < 18; index += 1) {
      const [across, along] = [this.#size - 11 + (index % 3), Math.floor(index / 3)];
      this.#set(across, along, (bits >> index) & 1);
      this.#set(along, across, (bits >> index) & 1);
    }
  }
}

/** Penalty of a masked symbol: long runs, blocks of one color, patterns like those of the corners, and imbalance. */
function penaltyOf(rows) {
  const size = rows.length;
  const columns = rows.map((_, x) => rows.map((row) => row[x]));
  let penalty = 0;
  for (const line of [...rows, ...columns]) {
    for (let at = 0, run; at < size; at += run) {
      run = 1;
      while (at + run < size && line[at + run] === line[at]) run += 1;
      if (run >= 5) penalty += run - 2;
    }
    const text = line.map(Number).join("");
    for (let at = 0; at + 11 <= size; at += 1) {
      if (["10111010000", "00001011101"].includes(text.slice(at, at + 11))) penalty += 40;
    }
  }
  for (let y = 0; y + 1 < size; y += 1) {
    for (let x = 0; x + 1 < size; x += 1) {
      const dark = rows[y][x];
      if (rows[y][x + 1] === dark && rows[y + 1][x] === dark && rows[y + 1][x + 1] === dark) penalty += 3;
    }
  }
  const share = rows.flat().filter(Boolean).length / (size * size);
  return penalty + 10 * Math.floor(Math.abs(share - 0.5) * 20);
}
