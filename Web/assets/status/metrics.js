// Parses the `/metrics` text for Prometheus (exposition format 0.0.4), and computes the change between two readings.

const line = /^([a-z_]+)(?:\{(.*)\})? ([^ ]+)$/;
const label = /([a-z_]+)="((?:[^"\\]|\\.)*)"/g;

/** Returns the samples as `[{ name, labels, value }]`; other lines are skipped. */
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

/** Returns the sum of a metric's samples whose labels match. */
export function sum(samples, name, fits = () => true) {
  return samples.reduce((total, sample) => (sample.name === name && fits(sample.labels) ? total + sample.value : total), 0);
}

/**
 * Returns the quantile of the observations between two readings of a histogram, in seconds. The position within its
 * bucket is interpolated, as in Prometheus. Histograms with different matching labels are combined. Returns `null` if
 * there were no observations.
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
