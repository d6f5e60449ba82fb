#!/usr/bin/env python3
"""Trains the texture check and measures it, leaving out one source at a time.

    train.py MEASURES.tsv [--also TABLE.tsv]... [--control NAME=TABLE.tsv]... [--write TextureWeights.swift]

Tables come from `mien evaluate MANIFEST.tsv --measures TABLE.tsv`: one row a picture with path, label, source and what
the program measured in it, so that training and shipping see the same numbers. `--also` tables (variants made by
controls.py, in the order of the first table) are trained on beside the first, never with a source that is held out;
`--control` tables are only measured. A source is what one author made with one camera: the folder of the first table's
path, without `_full`; variants take it from the row of the same number.

The model: gradient-boosted trees of two levels over the measures of the whole picture made small, plus two physical
measures of the full-scale tiles (peaks of the luma spectrum above 0.25 cycles per pixel, and beams in its direction
profile) with fixed weights, which enter only where tiles are 256 pixels wide. No colour and no compression measure is
among them.
"""

import argparse
import csv
import pathlib

import lightgbm
import numpy as np

PHYSICAL = {"y.rise2.mean": 1.0, "y.beam1.whole": 0.5}
SCENE = ("coarse.", "tone.", "edges.", "cells.", "near.", "far.", "frame.")
ROUNDS, SEEDS = 120, 3


class Table:
    def __init__(self, path, folders=None):
        rows = list(csv.reader(open(path), delimiter="\t"))
        self.names = rows[0][4:]
        self.paths = [row[0] for row in rows[1:]]
        self.labels = np.array([row[1] for row in rows[1:]])
        self.copies = np.array([not label.startswith("genuine") for label in self.labels])
        self.tiles = np.array([int(row[3]) for row in rows[1:]])
        self.values = np.array([[float(value) for value in row[4:]] for row in rows[1:]], np.float32)
        if folders is None:
            self.sources = np.array([path.split("/")[0].replace("_full", "") for path in self.paths])
        else:  # a variant: the file's name is the number of the row in the manifest
            self.sources = np.array([folders[int(pathlib.Path(path).stem)] for path in self.paths])


def weights(copies, sources):
    """Sources count by the root of their size, and both classes the same."""
    weight = np.array([1 / np.sqrt((sources == source).sum()) for source in sources])
    for kind in (False, True):
        weight[copies == kind] /= weight[copies == kind].sum()
    return weight * len(weight)


class Model:
    def __init__(self, names):
        self.scene = [i for i, name in enumerate(names) if name.startswith(SCENE)]
        self.names = names

    def fit(self, values, copies, sources, tiles):
        weight = weights(copies, sources)
        self.forests = [
            lightgbm.LGBMClassifier(
                n_estimators=ROUNDS, learning_rate=0.05, num_leaves=3, max_depth=2, min_child_samples=15,
                colsample_bytree=0.3, subsample=0.6, subsample_freq=1, reg_lambda=20, path_smooth=5, random_state=seed,
                n_jobs=1, deterministic=True, verbose=-1,
            ).fit(values[:, self.scene], copies, sample_weight=weight)
            for seed in range(SEEDS)
        ]
        large = tiles == 256
        scores = self.forest(values)
        self.spread = float(np.std(scores))
        self.physical = {}
        for name, share in PHYSICAL.items():
            column = values[large, self.names.index(name)]
            self.physical[name] = (float(column.mean()), share * self.spread / float(column.std()))
        return self

    def forest(self, values):
        return sum(forest.predict(values[:, self.scene], raw_score=True) for forest in self.forests) / SEEDS

    def score(self, values, tiles):
        score = self.forest(values)
        for name, (mean, factor) in self.physical.items():
            score = score + (tiles == 256) * factor * (values[:, self.names.index(name)] - mean)
        return score


def auc(copies, scores):
    order = np.argsort(np.argsort(scores, kind="stable"), kind="stable") + 1.0
    ones = copies.sum()
    return (order[copies].sum() - ones * (ones + 1) / 2) / (ones * (len(copies) - ones))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("measures")
    parser.add_argument("--manifest", required=True, help="the first table's manifest: its rows number the variants")
    parser.add_argument("--also", action="append", default=[])
    parser.add_argument("--control", action="append", default=[])
    parser.add_argument("--scores", help="write path, label, source and held-out score of every picture here: a table for mien evaluate")
    parser.add_argument("--write", help="write the weights here, trained on everything")
    options = parser.parse_args()
    folders = [
        row["path"].split("/")[0].replace("_full", "")
        for row in csv.DictReader(open(options.manifest), delimiter="\t")
    ]
    base = Table(options.measures)
    training = [base] + [Table(path, folders) for path in options.also]
    controls = {"as stored": base}
    for control in options.control:
        name, path = control.split("=", 1)
        controls[name] = Table(path, folders)
    authors = {"yash_galaxym12": "yash", "yash_whatsapp": "yash"}

    def trained(without):
        parts = []
        for table in training:
            keep = np.array([source not in without for source in table.sources])
            parts.append((table.values[keep], table.copies[keep], table.sources[keep], table.tiles[keep]))
        return Model(base.names).fit(*(np.concatenate(column) for column in zip(*parts)))

    held = {name: np.full(len(table.paths), np.nan) for name, table in controls.items()}
    for source in sorted(set(base.sources)):
        model = trained({source})
        for name, table in controls.items():
            chosen = table.sources == source
            held[name][chosen] = model.score(table.values[chosen], table.tiles[chosen])
    both = [s for s in sorted(set(base.sources)) if len(set(base.copies[base.sources == s])) == 2]
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
    cells = [f"{auc(table.copies, held[name]):.3f}" for name, table in controls.items()]
    print("everything pooled\t" + "\t".join(cells))
    for author in sorted(set(authors.values())):
        theirs = {source for source, name in authors.items() if name == author}
        model = trained(theirs)
        for source in sorted(theirs):
            chosen = base.sources == source
            score = model.score(base.values[chosen], base.tiles[chosen])
            print(f"{source}, all of its author held out\t{auc(base.copies[chosen], score):.3f}")
    scores = held["as stored"]
    genuine, copies = np.sort(scores[~base.copies]), np.sort(scores[base.copies])
    # 2.5 % of genuine pictures of held-out sources lie above, so that 5 % keeps some room.
    suspect = float(np.quantile(genuine, 0.975))
    clear = float(np.quantile(copies, 0.1))
    print(f"suspect from {suspect:.3f}: BPCER {np.mean(genuine >= suspect):.3f}, APCER {np.mean(copies < suspect):.3f}")
    print(f"genuine below {clear:.3f}: {np.mean(genuine < clear):.3f} of genuine, {np.mean(copies < clear):.3f} of copies")
    if options.scores:
        with open(options.scores, "w") as out:
            out.write("path\tlabel\tsource\ttexture\n")
            for row in zip(base.paths, base.labels, base.sources, scores):
                out.write("\t".join(map(str, row)) + "\n")
    if options.write:
        write(options.write, trained(set()), suspect, clear)


def write(path, model, suspect, clear):
    names = [model.names[i] for i in model.scene]

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
    physical = "\n".join(
        f'    Physical(measure: "{name}", usual: {mean:.6g}, factor: {factor:.6g}),'
        for name, (mean, factor) in model.physical.items())
    lines = "\n".join(lines)
    pathlib.Path(path).write_text(f'''/// What Training/train.py found; written by it, not by hand.
enum TextureWeights {{
  static let version = "2026-11"
  /// From here on at most one in forty genuine pictures of held-out sources lies.
  static let suspectFrom = {suspect:.4f}
  /// Below this one in ten copies of held-out sources lies.
  static let genuineBelow = {clear:.4f}

  /// A measure of full-scale tiles that enters by `factor` times what it has above `usual`.
  struct Physical {{
    var measure: String
    var usual: Double
    var factor: Double
  }}

  static let physical = [
{physical}
  ]

  /// The measures that trees name by number.
  static let measures: [String] = [
{lines}
  ]

  /// Trees in prefix order, one a line.
  static let trees = """
''' + "\n".join("    " + tree for tree in trees) + '\n    """\n}\n')


if __name__ == "__main__":
    main()
