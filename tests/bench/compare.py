#!/usr/bin/env python3
# SPDX-FileCopyrightText: Posiscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Two benchmark results as ratios: compare.py BEFORE.json AFTER.json [--fail-above RATIO]

Takes what `posiscope bench --json` prints and what `posiscope_bench --benchmark_format=json` (or --benchmark_out) writes.
A ratio is the time after divided by the time before: 0.5 is twice as fast. Where a figure has the machine's limit beside
it, the ratio of both in units of that limit follows; it holds where the machine was not equally busy. With --fail-above
the exit code is 1 when a ratio (that in units of the limit, where there is one) is larger.
"""
import argparse
import json
import sys

MILLISECONDS = {"ns": 1e-6, "us": 1e-3, "ms": 1.0, "s": 1e3}


def posiscope_figures(root):
    """Name -> (milliseconds, milliseconds of the limit or None)."""
    return {f["id"]: (f["median_ms"], f.get("limit_ms")) for f in root["figures"] if f.get("median_ms")}


def google_figures(root):
    """Medians where runs were repeated, else the single runs."""
    figures, medians = {}, {}
    for run in root["benchmarks"]:
        if run.get("error_occurred"):
            continue
        time = run.get("median_ms", run["real_time"] * MILLISECONDS[run.get("time_unit", "ns")])
        name = run.get("run_name", run["name"])
        if run.get("run_type") != "aggregate":
            figures.setdefault(name, (time, None))
        elif run.get("aggregate_name") == "median":
            medians[name] = (time, None)
    return figures | medians


def figures_of(path):
    try:
        with open(path, encoding="utf-8") as file:
            root = json.load(file)
    except (OSError, ValueError) as problem:
        sys.exit(f"compare.py: {path}: {problem}")
    if isinstance(root, dict) and "posiscope_bench" in root:
        return posiscope_figures(root)
    if isinstance(root, dict) and "benchmarks" in root:
        return google_figures(root)
    sys.exit(f"compare.py: {path} must be a result of posiscope bench --json or of Google Benchmark")


def ratios(before, after):
    """Name, times, ratio, ratio in units of the limit or None; for what both results have."""
    for name in before:
        if name not in after:
            continue
        (old, old_limit), (new, new_limit) = before[name], after[name]
        adjusted = (new / new_limit) / (old / old_limit) if old_limit and new_limit else None
        yield name, old, new, new / old, adjusted


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before")
    parser.add_argument("after")
    parser.add_argument("--fail-above", type=float, metavar="RATIO")
    arguments = parser.parse_args()
    before, after = figures_of(arguments.before), figures_of(arguments.after)
    rows = list(ratios(before, after))
    if not rows:
        sys.exit("compare.py: the two results have no figure in common")
    width = max(len(row[0]) for row in rows)
    print(f"{'':{width}}  {'before':>12}  {'after':>12}  {'ratio':>7}  in units of the limit")
    for name, old, new, ratio, adjusted in rows:
        units = "" if adjusted is None else f"{adjusted:.3f}"
        print(f"{name:{width}}  {old:9.4g} ms  {new:9.4g} ms  {ratio:7.3f}  {units}".rstrip())
    for where, only in (("before", before.keys() - after.keys()), ("after", after.keys() - before.keys())):
        if only:
            print(f"only {where}: {', '.join(sorted(only))}")
    limit = arguments.fail_above
    slower = [row[0] for row in rows if limit is not None and (row[3] if row[4] is None else row[4]) > limit]
    if slower:
        sys.exit(f"compare.py: slower than {limit} ×: {', '.join(slower)}")


if __name__ == "__main__":
    main()
