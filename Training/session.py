#!/usr/bin/env python3
"""Trains the score of liveness frames and measures it, leaving out one source at a time.

    session.py MEASURES.tsv [--write FrameModelParameters.swift] [--report]

MEASURES.tsv comes from `mien evaluate MANIFEST.tsv --frames --measures MEASURES.tsv` over the frames of session_frames.py, so that
training and production use the same numbers. A source is the work of one author; a clip is one folder of frames. A source is held out
together with the simulated replays of its clips. Crops and single pictures are trained on and reported, but never decide a setting.

Images whose label contains `scene` (photos of things, screens and prints without a face) teach the measures of the whole frame and of
its middle only. The model: gradient-boosted trees of depth two over the measures of the whole frame, of the face with its surroundings and
of the face's light.
"""

import argparse
import csv
import pathlib

import lightgbm
import numpy as np
from scipy.stats import beta

ROUNDS, SEEDS = 120, 3
BONA_FIDE = ("genuine", "bona", "real", "live")
# Largest absolute score of a frame in a mean, as ScreenOrPrintSettings.largestScore.
SQUASH = 3.0
# Weights of faces, of simulated screens and prints of faces, and of scenes.
SHARES = (1.0, 0.3, 1.5)
# Measures that the trees may not use.
OMITTED = ("whole.rim.", "around.rim.")


class Table:
    def __init__(self, path):
        rows = list(csv.reader(open(path), delimiter="\t"))
        self.names = rows[0][4:]
        rows = [row for row in rows[1:] if len(row) == len(self.names) + 4]
        self.clips = np.array([row[0].rsplit("/", 1)[0] for row in rows])
        self.labels = np.array([row[1] for row in rows])
        self.people = np.array([row[2].split("#")[0] for row in rows])
        self.sources = np.array([person.split("/")[0] for person in self.people])
        self.simulated = np.array(["#synthetic" in row[2] for row in rows])
        self.attacks = np.array([not label.startswith(BONA_FIDE) for label in self.labels])
        self.scenes = np.array(["scene" in label for label in self.labels])
        self.values = np.array([[float(value) for value in row[4:]] for row in rows], np.float32)
        face = [index for index, name in enumerate(self.names) if name.startswith("face.")]
        self.values[np.ix_(self.scenes, face)] = np.nan


def weights(table, rows):
    """Weights faces, simulated faces and scenes as groups, both classes of a group equally, and sources by the square root of their
    size."""
    weight = np.zeros(len(table.labels))
    groups = (~table.simulated & ~table.scenes, table.simulated, table.scenes)
    for kind, share in zip(groups, SHARES):
        for attack in (False, True):
            group = rows & kind & (table.attacks == attack)
            if not group.any():
                continue
            sizes = {source: (table.sources[group] == source).sum() for source in set(table.sources[group])}
            part = np.array([1 / np.sqrt(sizes[source]) for source in table.sources[group]])
            weight[group] = part / part.sum() * share
    return weight[rows] / weight[rows].mean()


class Model:
    def __init__(self, table, rows, columns, rounds=ROUNDS):
        self.columns = columns
        weight = weights(table, rows)
        self.forests = [
            lightgbm.LGBMClassifier(
                n_estimators=rounds, learning_rate=0.05, num_leaves=4, max_depth=2, min_child_samples=20, colsample_bytree=0.25,
                subsample=0.6, subsample_freq=1, reg_lambda=20, path_smooth=5, random_state=seed, n_jobs=1, deterministic=True,
                verbose=-1,
            ).fit(table.values[rows][:, columns], table.attacks[rows], sample_weight=weight)
            for seed in range(SEEDS)
        ]

    def score(self, values):
        return np.mean([forest.predict(values[:, self.columns], raw_score=True) for forest in self.forests], 0)


def exact(count, total):
    """Returns the Clopper-Pearson 95 % interval."""
    low = beta.ppf(0.025, count, total - count + 1) if count else 0.0
    high = beta.ppf(0.975, count + 1, total - count) if count < total else 1.0
    return low, high


def auc(attack, genuine):
    attack, genuine = np.asarray(attack), np.asarray(genuine)
    return ((attack[:, None] > genuine).mean() + (attack[:, None] == genuine).mean() / 2) if len(attack) and len(genuine) else np.nan


def held_out(table, columns, rounds=ROUNDS, sources=None):
    """Returns the scores of all frames by models that have not seen their source."""
    scores = np.full(len(table.labels), np.nan)
    for source in sorted(set(sources if sources is not None else table.sources)):
        here = table.sources == source
        scores[here] = Model(table, ~here, columns, rounds).score(table.values[here])
    return scores


def chosen(names):
    """Returns the columns of the measures that the trees may use."""
    return [index for index, name in enumerate(names) if not name.startswith(OMITTED)]


def clip_means(table, scores, rows):
    return {clip: np.clip(scores[rows & (table.clips == clip)], -SQUASH, SQUASH).mean() for clip in sorted(set(table.clips[rows]))}


def write(path, table, model, version):
    names = [table.names[column] for column in model.columns]

    def text(node):
        if "leaf_value" in node:
            return f"= {node['leaf_value'] / SEEDS:.6g}"
        return (f"{node['split_feature']} {np.float32(node['threshold']):.9g} "
                f"{text(node['left_child'])} {text(node['right_child'])}")

    trees = [text(tree["tree_structure"]) for forest in model.forests for tree in forest.booster_.dump_model()["tree_info"]]
    lines = []
    for name in names:
        if lines and len(lines[-1]) + len(name) + 5 < 115:
            lines[-1] += f' "{name}",'
        else:
            lines.append(f'    "{name}",')
    joined, forest = "\n".join(lines), "\n".join("    " + tree for tree in trees)
    path.write_text(f'''/// Model parameters generated by Training/session.py; do not edit.
enum FrameModelParameters {{
  static let version = "{version}"

  /// Measurements that trees refer to by index.
  static let measures: [String] = [
{joined}
  ]

  /// Trees in prefix order, one per line.
  static let trees = """
{forest}
    """
}}
''')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("measures", type=pathlib.Path)
    parser.add_argument("--threshold", type=float, default=0.5, help="mean score of a session from which it is suspect")
    parser.add_argument("--least", type=int, default=8, help="frames of the shortest session that is assessed")
    parser.add_argument("--write", type=pathlib.Path, help="write the model trained on all sources")
    options = parser.parse_args()
    table = Table(options.measures)
    columns = chosen(table.names)
    if options.write:
        write(options.write, table, Model(table, np.ones(len(table.labels), bool), columns), "2026-11-1")
        return
    report(table, held_out(table, columns), options.threshold, options.least)


def report(table, scores, threshold, least):
    def line(name, wrong, total, unit):
        low, high = exact(wrong, total)
        print(f"{name}\t{wrong}/{total} {unit}\t{100 * wrong / total:.1f} % ({100 * low:.1f}-{100 * high:.1f})")

    real = np.array([label == "genuine" or label.endswith("_video") for label in table.labels]) & ~table.simulated
    means = clip_means(table, scores, real)
    first = {clip: np.argmax(table.clips == clip) for clip in means}
    genuine = {clip: mean for clip, mean in means.items() if not table.attacks[first[clip]]}
    attacks = {clip: mean for clip, mean in means.items() if table.attacks[first[clip]]}
    for clip, mean in sorted({**genuine, **attacks}.items(), key=lambda pair: pair[1]):
        print(f"{mean:.2f}\t{table.labels[first[clip]]}\t{table.people[first[clip]]}\t{(table.clips == clip).sum()} frames")
    print(f"AUC of clips\t{auc(list(attacks.values()), list(genuine.values())):.3f}")
    people = {}
    for clip, mean in genuine.items():
        people.setdefault(table.people[first[clip]], []).append(mean >= threshold)
    line("BPCER, clips", sum(mean >= threshold for mean in genuine.values()), len(genuine), "clips")
    line("BPCER, people with any suspect clip", sum(any(found) for found in people.values()), len(people), "people")
    windows, wrong = 0, 0
    for clip in genuine:
        frames = np.clip(scores[table.clips == clip], -SQUASH, SQUASH)
        for start in range(0, len(frames) - least + 1, least):
            windows += 1
            wrong += frames[start:start + least].mean() >= threshold
    line(f"BPCER, windows of {least} frames (not independent)", int(wrong), windows, "windows")
    for label in sorted({table.labels[first[clip]] for clip in attacks}):
        found = [attacks[clip] < threshold for clip in attacks if table.labels[first[clip]] == label]
        line(f"APCER, {label}", sum(found), len(found), "clips")
    for label in sorted(set(table.labels[~real])):
        rows = ~real & (table.labels == label)
        for simulated in (False, True):
            part = rows & (table.simulated == simulated)
            if part.any():
                suspect = scores[part] >= threshold
                wrong = int(suspect.sum() if label.startswith(BONA_FIDE) else (~suspect).sum())
                kind = "simulated " if simulated else ""
                line(f"single {kind}{label}", wrong, int(part.sum()), "frames")


if __name__ == "__main__":
    main()
