#!/usr/bin/env python3
"""Trains the texture check and measures it, leaving out one source at a time.

    train.py MEASURES.tsv [--also TABLE.tsv]... [--control NAME=TABLE.tsv]... [--scores SCORES.tsv] [--ranks-only]
             [--write TextureModelParameters.swift]

Tables come from `mien evaluate MANIFEST.tsv --measures TABLE.tsv`: one row per image with path, label, source and the
program's measures, so that training and production use the same numbers. `--also` tables (variants created by controls.py,
in the order of the first table) are trained on beside the first, never with a source that is held out; `--control` tables
are only measured; their held-out scores are written beside SCORES.tsv, as SCORES-NAME.tsv. A source is the work of one
author: the folder of the first table's path, and folders that share an author or pictures are one source; variants take it
from the row with the same number.

The model: gradient-boosted trees of depth two over the measures of the downscaled image, of its border and of its
flattest blocks, and of the peaks, beams and lines in the luma spectra of the full-scale tiles; plus, with the same spread, a
weighted sum of the ranks of the same measures. Spectra count only if tiles are 256 pixels wide: otherwise the median takes their
place. No color and no compression measure is among them.

The weights of the ranks are those of a linear discriminant (Fisher 1936) trained on pairs within one domain only, a source
in one variant: the difference between copies and genuine images of the same camera. Differences between domains are treated as
noise, like within-class covariance normalization for speakers and microphones (Hatch, Kajarekar and Stolcke, Interspeech 2006).
"""

import argparse
import csv
import pathlib
import re

import lightgbm
import numpy as np
from sklearn.linear_model import LogisticRegression

PEAKS = re.compile(r"y\.((peak|peaks|rise)\d\.(mean|most|least|spread)|.*\.whole)")
SCENE = ("coarse.", "tone.", "edges.", "cells.", "near.", "far.", "flat.", "rim.", "frame.")
# Folders that share an author or pictures are one source: they are held out together.
TOGETHER = {
    "aayush": "shubh", "nandini": "avinash_infinix", "yash_galaxym12": "yash", "yash_galaxym12_full": "yash", "yash_whatsapp": "yash",
}
# Label prefixes of bona fide presentations, as in `mien evaluate` (Trial.isBonaFide).
BONA_FIDE = ("genuine", "bona", "real", "live")
ROUNDS, SEEDS = 120, 3
# Shares of held-out pictures beyond the thresholds: genuine ones that are suspect, copies that are called genuine.
FALSE_ALARMS, CALLED_GENUINE = 0.027, 0.17
KNOTS, RANK_SHARE = 33, 1.0
# Weight of the between-domain covariance relative to the within-domain one, and the ridge, as a share of the mean variance.
BETWEEN, RIDGE = 1.0, 1.0


def source_of(path):
    """Returns the source of a picture from the folder of its path."""
    folder = path.split("/")[0]
    return TOGETHER.get(folder, folder)


class Table:
    def __init__(self, path, folders=None):
        rows = list(csv.reader(open(path), delimiter="\t"))
        self.names = rows[0][4:]
        self.paths = [row[0] for row in rows[1:]]
        self.labels = np.array([row[1] for row in rows[1:]])
        self.copies = np.array([not label.lower().startswith(BONA_FIDE) for label in self.labels])
        self.tiles = np.array([int(row[3]) for row in rows[1:]])
        self.values = np.array([[float(value) for value in row[4:]] for row in rows[1:]], np.float32)
        if folders is None:
            self.sources = np.array([source_of(path) for path in self.paths])
        else:  # a variant: the file's name is the number of the row in the manifest
            self.sources = np.array([folders[int(pathlib.Path(path).stem)] for path in self.paths])


def weights(copies, sources):
    """Weights sources by the square root of their size, and both classes equally."""
    weight = np.array([1 / np.sqrt((sources == source).sum()) for source in sources])
    for kind in (False, True):
        weight[copies == kind] /= weight[copies == kind].sum()
    return weight * len(weight)


def steady(ranks, copies, domains):
    """Returns the direction that separates classes within domains with little variation between domains, and the decision
    midpoint on it."""
    size = ranks.shape[1]
    gaps, counts, within, freedom, middles, shares = [], [], np.zeros((size, size)), 0, [], []
    for domain in sorted(set(domains)):
        here = domains == domain
        ones, zeros = ranks[here & copies], ranks[here & ~copies]
        if len(ones) and len(zeros):
            gaps.append(ones.mean(0) - zeros.mean(0))
            counts.append(np.sqrt(len(ones) * len(zeros) / (len(ones) + len(zeros))))
        for kind in (ones, zeros):
            if len(kind) > 1:
                apart = kind - kind.mean(0)
                within += apart.T @ apart / np.sqrt(here.sum())
                freedom += (len(kind) - 1) / np.sqrt(here.sum())
    gap = np.average(gaps, 0, counts)
    for domain in sorted(set(domains)):
        here = domains == domain
        # The domain's class means, shifted to a balanced midpoint.
        places = [ranks[here & kind].mean(0) + gap * side
                  for kind, side in ((copies, -0.5), (~copies, 0.5)) if (here & kind).any()]
        middles.append(np.mean(places, 0))
        shares.append(min(1.0, here.sum() / 8))
    middle = np.average(middles, 0, shares)
    apart = np.array(middles) - middle
    noise = within / freedom + BETWEEN * (apart.T * shares) @ apart / np.sum(shares)
    return np.linalg.solve(noise + RIDGE * np.trace(noise) / size * np.eye(size), gap), middle


class Ranks:
    """Maps each measure to its rank among its training quantiles, -1 to 1, times a weight."""

    def __init__(self, values, copies, domains):
        knots = np.quantile(values.astype(float), np.linspace(0, 1, KNOTS), axis=0)
        # Rounded as they are written, so that the program uses the same values.
        self.knots = np.array([[np.float32(f"{knot:.6g}") for knot in row] for row in knots]).astype(float)
        self.weights, middle = steady(self.ranks(values), copies, domains)
        self.offset = -float(middle @ self.weights)

    def ranks(self, values):
        columns = []
        for knots, column in zip(self.knots.T, values.astype(float).T):
            # The first of equal quantiles is used.
            found = np.searchsorted(knots, column, side="left")
            above = np.clip(found, 1, KNOTS - 1)
            low, high = knots[above - 1], knots[above]
            place = above - 1 + (column - low) / np.where(high > low, high - low, 1)
            columns.append(np.where(found == 0, -1, np.where(found == KNOTS, 1, place / ((KNOTS - 1) / 2) - 1)))
        return np.stack(columns, 1)

    def score(self, values):
        return self.ranks(values) @ self.weights + self.offset


class Model:
    def __init__(self, names, trees=True):
        self.trees = trees
        self.scene = [i for i, name in enumerate(names) if name.startswith(SCENE)]
        self.peaks = [i for i, name in enumerate(names) if PEAKS.fullmatch(name)]
        self.names = names

    def fit(self, values, copies, sources, tiles, domains):
        weight = weights(copies, sources)
        # Rounded as they are written, so that the program uses the same values.
        self.usual = [np.float32(f"{median:.6g}") for median in np.median(values[tiles == 256][:, self.peaks], 0)]
        values = self.chosen(values, tiles)
        self.forests = [
            lightgbm.LGBMClassifier(
                n_estimators=ROUNDS, learning_rate=0.05, num_leaves=3, max_depth=2, min_child_samples=15,
                colsample_bytree=0.3, subsample=0.6, subsample_freq=1, reg_lambda=20, path_smooth=5, random_state=seed,
                n_jobs=1, deterministic=True, verbose=-1,
            ).fit(values, copies, sample_weight=weight)
            for seed in range(SEEDS if self.trees else 0)
        ]
        self.ranks = Ranks(values, copies, domains)
        if not self.trees:
            return self
        scores = self.forest(values)
        share = RANK_SHARE * float(np.std(scores)) / float(np.std(self.ranks.score(values)))
        self.ranks.weights, self.ranks.offset = self.ranks.weights * share, self.ranks.offset * share
        return self

    def chosen(self, values, tiles):
        """Returns the measures that the model reads, without the spectra of tiles of other sizes."""
        peaks = values[:, self.peaks].copy()
        peaks[tiles != 256] = self.usual
        return np.concatenate([values[:, self.scene], peaks], 1)

    def forest(self, chosen):
        return sum(forest.predict(chosen, raw_score=True) for forest in self.forests) / SEEDS

    def score(self, values, tiles):
        chosen = self.chosen(values, tiles)
        return (self.forest(chosen) if self.trees else 0) + self.ranks.score(chosen)


def auc(copies, scores):
    order = np.argsort(np.argsort(scores, kind="stable"), kind="stable") + 1.0
    ones = copies.sum()
    return (order[copies].sum() - ones * (ones + 1) / 2) / (ones * (len(copies) - ones))


def interval(copies, scores, sources, draws=2000):
    """Returns a 95 % confidence interval of the AUC by bootstrapping images within source and class."""
    generator = np.random.default_rng(1)
    groups = [np.flatnonzero((sources == source) & (copies == kind)) for source in sorted(set(sources)) for kind in (False, True)]
    drawn = [np.concatenate([generator.choice(group, len(group)) for group in groups if len(group)]) for _ in range(draws)]
    return np.quantile([auc(copies[chosen], scores[chosen]) for chosen in drawn], (0.025, 0.975))


def thresholds(genuine, copies):
    """Returns the scores from which pictures are suspect, and below which they are called genuine."""
    return float(np.quantile(genuine, 1 - FALSE_ALARMS)), float(np.quantile(copies, CALLED_GENUINE))


def judged(scores, copies, sources):
    """Returns which pictures are suspect and which are called genuine. The thresholds for a source come from the other sources,
    as for an author whose pictures were not used for training."""
    suspect, genuine = np.zeros(len(scores), bool), np.zeros(len(scores), bool)
    for source in sorted(set(sources)):
        others, here = sources != source, sources == source
        most, least = thresholds(scores[others & ~copies], scores[others & copies])
        suspect[here], genuine[here] = scores[here] >= most, scores[here] < least
    return suspect, genuine


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("measures")
    parser.add_argument("--manifest", required=True, help="the first table's manifest: its rows number the variants")
    parser.add_argument("--also", action="append", default=[])
    parser.add_argument("--control", action="append", default=[])
    parser.add_argument("--scores", help="write path, label, source and held-out score of every picture here: a table for mien evaluate")
    parser.add_argument("--ranks-only", action="store_true", help="measure the weighted sum of ranks without the trees")
    parser.add_argument("--write", help="write the weights here, trained on everything")
    options = parser.parse_args()
    if options.write and options.ranks_only:
        parser.error("the program reads trees and ranks: --write does not go with --ranks-only")
    pictures = [row["path"] for row in csv.DictReader(open(options.manifest), delimiter="\t")]
    folders = [source_of(path) for path in pictures]
    base = Table(options.measures)
    training = [base] + [Table(path, folders) for path in options.also]
    controls = {"as stored": base}
    for control in options.control:
        name, path = control.split("=", 1)
        controls[name] = Table(path, folders)

    def trained(without):
        parts = []
        for number, table in enumerate(training):
            keep = np.array([source not in without for source in table.sources])
            domains = np.array([f"{source} {number}" for source in table.sources])
            parts.append((table.values[keep], table.copies[keep], table.sources[keep], table.tiles[keep], domains[keep]))
        return Model(base.names, not options.ranks_only).fit(*(np.concatenate(column) for column in zip(*parts)))

    held = {name: np.full(len(table.paths), np.nan) for name, table in controls.items()}
    for source in sorted(set(base.sources)):
        model = trained({source})
        for name, table in controls.items():
            chosen = table.sources == source
            held[name][chosen] = model.score(table.values[chosen], table.tiles[chosen])
    both = [s for s in sorted(set(base.sources)) if len(set(base.copies[base.sources == s])) == 2]
    for share in (0.05, 0.1, 0.2):
        least = np.quantile(held["as stored"][~base.copies], 1 - share)
        print(f"APCER at a BPCER of {share:.0%}: {np.mean(held['as stored'][base.copies] < least):.2f}")
    print("AUC, one source held out; per control")
    print("source\t" + "\t".join(controls))
    for source in both:
        cells = [
            f"{auc(table.copies[table.sources == source], held[name][table.sources == source]):.3f}"
            for name, table in controls.items()
        ]
        print(f"{source}\t" + "\t".join(cells))
    cells = []
    for name, table in controls.items():
        chosen = np.isin(table.sources, both)
        cells.append(f"{auc(table.copies[chosen], held[name][chosen]):.3f}")
    print("all of these pooled\t" + "\t".join(cells))
    chosen = np.isin(base.sources, both)
    low, high = interval(base.copies[chosen], held["as stored"][chosen], base.sources[chosen])
    print(f"as stored, 95 % by drawing pictures again\t{low:.3f} to {high:.3f}")
    cells = [f"{auc(table.copies, held[name]):.3f}" for name, table in controls.items()]
    print("everything pooled\t" + "\t".join(cells))
    scores = held["as stored"]
    genuine, copies = np.sort(scores[~base.copies]), np.sort(scores[base.copies])
    suspect, clear = thresholds(genuine, copies)
    above = f"{np.sum(genuine >= suspect)} of {len(genuine)}"
    caught, passed = judged(scores, base.copies, base.sources)
    undecided = ~base.copies & ~caught & ~passed
    print(f"thresholds of the other sources: BPCER {np.sum(caught & ~base.copies)} of {len(genuine)}, undecided {undecided.sum()} of "
          f"{len(genuine)}, APCER {np.sum(base.copies & ~caught)} of {len(copies)}, copies called genuine "
          f"{np.sum(base.copies & passed)} of {len(copies)}")
    # Calibrates the score with a logistic curve through the held-out scores, with both classes weighted equally.
    curve = LogisticRegression(C=1e6, class_weight="balanced").fit(scores[:, None], base.copies)
    midpoint, width = float(-curve.intercept_[0] / curve.coef_[0, 0]), float(1 / curve.coef_[0, 0])
    print(f"calibration: midpoint {midpoint:.3f}, width {width:.3f}")
    print("quantiles of genuine:", ", ".join(f"{value:.3f}" for value in np.quantile(genuine, np.linspace(0, 1, 21))))
    print(f"suspect from {suspect:.3f}: BPCER {np.mean(genuine >= suspect):.3f}, APCER {np.mean(copies < suspect):.3f}")
    print(f"genuine below {clear:.3f}: {np.mean(genuine < clear):.3f} of genuine, {np.mean(copies < clear):.3f} of copies")
    if options.scores:
        written(options.scores, base.paths, base.labels, base.sources, scores)
        for name in set(controls) - {"as stored"}:
            paths = [pictures[int(pathlib.Path(path).stem)] for path in controls[name].paths]
            written(beside(options.scores, name), paths, controls[name].labels, controls[name].sources, held[name])
    if options.write:
        write(options.write, trained(set()), suspect, above, clear, midpoint, width)


def beside(scores, name):
    """Returns the path of a control's held-out scores."""
    path = pathlib.Path(scores)
    return path.with_name(f"{path.stem}-{name}{path.suffix}")


def written(path, paths, labels, sources, scores):
    with open(path, "w") as out:
        out.write("path\tlabel\tsource\ttexture\n")
        for row in zip(paths, labels, sources, scores):
            out.write("\t".join(map(str, row)) + "\n")


def write(path, model, suspect, above, clear, midpoint, width):
    names = [model.names[i] for i in model.scene + model.peaks]

    def text(node):
        if "leaf_value" in node:
            return f"= {node['leaf_value'] / SEEDS:.6g}"
        return (f"{node['split_feature']} {np.float32(node['threshold']):.9g} "
                f"{text(node['left_child'])} {text(node['right_child'])}")

    trees = [
        text(tree["tree_structure"])
        for forest in model.forests
        for tree in forest.booster_.dump_model()["tree_info"]
    ]
    lines = []
    for name in names:
        if lines and len(lines[-1]) + len(name) + 5 < 115:
            lines[-1] += f' "{name}",'
        else:
            lines.append(f'    "{name}",')
    peaks = "\n".join(
        f'    Usual(measure: "{model.names[i]}", value: {usual:.6g}),' for i, usual in zip(model.peaks, model.usual))
    lines = "\n".join(lines)
    ranks = "\n".join(
        f"    {number} {weight:.6g} " + " ".join(f"{knot:.6g}" for knot in knots)
        for number, (weight, knots) in enumerate(zip(model.ranks.weights, model.ranks.knots.T)))
    # Each measure at another of its quantiles: the program has to find the same score.
    example = np.array([knots[7 * number % KNOTS] for number, knots in enumerate(model.ranks.knots.T)], np.float32)[None]
    score = float((model.forest(example) + model.ranks.score(example))[0])
    pathlib.Path(path).write_text(f'''/// Model parameters generated by Training/train.py; do not edit.
enum TextureModelParameters {{
  static let version = "2026-11-4"
  /// At or above this native value are {above} bona fide images of held-out sources.
  static let suspectFrom = {suspect:.4f}
  /// Below this native value are 17 % of the recaptures of held-out sources.
  static let genuineBelow = {clear:.4f}
  /// Parameters of a logistic curve fitted to the scores of held-out sources.
  static let midpoint = {midpoint:.4f}
  static let width = {width:.4f}

  /// A measurement of full-scale tiles, and the value that takes its place if the tiles have another size.
  struct Usual {{
    var measure: String
    var value: Float
  }}

  static let peaks = [
{peaks}
  ]

  /// Score, according to the training, of a picture whose measurement number n is at its quantile number 7n modulo {KNOTS}.
  static let exampleScore = {score:.6g}

  /// Measurements that trees refer to by index.
  static let measures: [String] = [
{lines}
  ]

  /// Constant term of the rank sum.
  static let rankOffset = {model.ranks.offset:.6g}

  /// Per measurement: its index, the weight of its rank, and its {KNOTS} quantiles.
  static let ranks = """
{ranks}
    """

  /// Trees in prefix order, one per line.
  static let trees = """
''' + "\n".join("    " + tree for tree in trees) + '\n    """\n}\n')


if __name__ == "__main__":
    main()
