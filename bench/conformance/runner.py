"""One scene through one engine in a process of its own, with limits: a crash or a hang is a cell, not the end."""
import json
import os
import resource
import subprocess

import rows
import scene as sc

MEMORY = 16 << 30       # of a process [bytes]; wasm engines reserve much and use little
WALL_FACTOR = 6.0       # wall time, in processor time: the machine may be busy

REFUSED = 3             # exit code of an adapter that cannot be given the scene; it says why on its last line


class Outcome:
    """What came of a run: a track, or a word why there is none."""

    def __init__(self, track=None, word="", why="", seconds=0.0, steps=0, complaints=0):
        self.track, self.word, self.why = track, word, why
        self.seconds, self.steps, self.complaints = seconds, steps, complaints


def limit(seconds):
    def apply():
        resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 2))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        os.setsid()
    return apply


def start(command, seconds):
    """Run to the end or the limit. Returns exit code or None, output, complaints of the process."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=limit(seconds),
                               env=dict(os.environ, OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1"))
    try:
        out, err = process.communicate(timeout=WALL_FACTOR * seconds + 20.0)
        code = process.returncode
    except subprocess.TimeoutExpired:
        process.kill()
        out, err = process.communicate()
        code = None
    return code, out.decode("utf-8", "replace"), err.decode("utf-8", "replace")


def parse(text):
    """Samples, and the last line with its totals; lines that are no JSON are the engine's chatter."""
    samples, totals = [], {}
    for line in text.splitlines():
        if line.startswith("{"):
            try:
                data = json.loads(line)
            except ValueError:
                continue
            if "s" in data:
                samples.append(data)
            else:
                totals = data
    return samples, totals


def is_finite(samples):
    return all(isinstance(x, (int, float)) and abs(x) < 1e30 for s in samples for b in s["s"] for x in b)


def run(engine, setting, scene, every, path, seconds):
    """A scene (a dictionary) through an engine; the file at `path` is what the adapter reads."""
    steps = round(scene["duration"] / scene["dt"])
    try:
        data = sc.flatten(scene) if engine.is_planar else scene
    except ValueError as why:
        return Outcome(word="n/a", why=str(why))
    with open(path, "w") as file:
        json.dump(data, file, indent=1)
    code, out, err = start(engine.command(setting, path, steps, every), seconds)
    samples, totals = parse(out)
    last = (err.strip().splitlines() or [""])[-1][:200]
    if code is None or code in (-9, -24, 137, 152):
        return Outcome(word="timeout", why="over %g s of processor time" % seconds)
    if code == REFUSED:
        return Outcome(word="n/a", why=last)
    if samples and not is_finite(samples):
        return Outcome(word="NaN", why="not finite")
    if code != 0 or not totals:
        return Outcome(word="crash", why="exit code %s: %s" % (code, last))
    if engine.is_planar:
        samples = [dict(s, s=[sc.unflatten_state(b) for b in s["s"]]) for s in samples]
    return Outcome(rows.Track(scene, samples), seconds=totals.get("seconds", 0.0), steps=steps,
                   complaints=totals.get("complaints", 0))
