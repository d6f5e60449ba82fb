// Reads the text that `/metrics` gives to Prometheus (exposition format 0.0.4), and what changed between two readings.

const line = /^([a-z_]+)(?:\{(.*)\})? ([^ ]+)$/;
const label = /([a-z_]+)="((?:[^"\\]|\\.)*)"/g;

/** Samples as `[{ name, labels, value }]`; lines that are none are passed over. */
export function parse(text) {
  const samples = [];
  for (const row of text.split("\n")) {
    const found = row.startsWith("#") ? null : line.exec(row);
    if (!found) continue;
    const value = Number(found[3]);
    if (Number.isNaN(value)) continue;
    const labels = Object.fromEntries([...(found[2] ?? "").matchAll(label)].map(([, name, text]) => [name, text]));
    samples.push({ name: found[1], labels, value });
  }
  return samples;
}

/** The sum of a family's samples that fit. */
export function sum(samples, name, fits = () => true) {
  return samples.reduce((total, sample) => (sample.name === name && fits(sample.labels) ? total + sample.value : total), 0);
}

/**
 * The quantile of what came between two readings of a histogram, in seconds: the place within its bucket is interpolated, as
 * Prometheus does it. Histograms of several labels that fit are taken together. Null when nothing came.
 */
export function quantile(before, after, name, part, fits = () => true) {
  const counts = (samples) => {
    const found = new Map();
    for (const sample of samples) {
      if (sample.name !== `${name}_bucket` || !fits(sample.labels)) continue;
      const edge = sample.labels.le === "+Inf" ? Infinity : Number(sample.labels.le);
      found.set(edge, (found.get(edge) ?? 0) + sample.value);
    }
    return found;
  };
  const earlier = counts(before);
  const buckets = [...counts(after)].map(([edge, count]) => [edge, count - (earlier.get(edge) ?? 0)]).sort(([a], [b]) => a - b);
  const all = buckets.at(-1)?.[1] ?? 0;
  if (all <= 0) return null;
  const rank = part * all;
  let [low, below] = [0, 0];
  for (const [edge, count] of buckets) {
    if (count >= rank) return edge === Infinity ? low : low + (edge - low) * (count === below ? 1 : (rank - below) / (count - below));
    [low, below] = [edge, count];
  }
  return low;
}
