// The stage in a browser: what is drawn, read back from the scene graph, against the bytes of the recording.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, openPage } from "./support/browser.mjs";
import { poseAt, readRecording, writeRecording } from "./support/bytes.mjs";
import { makePage, picturePath, record } from "./support/files.mjs";
import { planarScene, solidScene } from "./support/scenes.mjs";

let browser;
before(async () => { browser = await launch(); });
after(async () => { await browser?.close(); });

/** Open a recording, hand its page to the test, and see that nothing was complained about. */
async function withPage(bytes, use, options) {
  const opened = await openPage(browser, makePage(bytes), options);
  try {
    assert.notEqual(await opened.page.evaluate(() => document.documentElement.dataset.state), "error");
    await opened.page.evaluate(() => cairn.player.pause());
    await use(opened.page);
    assert.deepEqual(opened.messages, []);
    assert.deepEqual(opened.requests, []);
  } finally {
    await opened.close();
  }
}

/** Column-major matrix of a pose. */
function matrixOf([x, y, z, w, a, b, c]) {
  return [1 - 2 * (b * b + c * c), 2 * (a * b + w * c), 2 * (a * c - w * b), 0,
          2 * (a * b - w * c), 1 - 2 * (a * a + c * c), 2 * (b * c + w * a), 0,
          2 * (a * c + w * b), 2 * (b * c - w * a), 1 - 2 * (a * a + b * b), 0, x, y, z, 1];
}

/** The pose a share of the way from one to the other: turned about one axis by that share of the angle between them. */
function between(p, q, share) {
  const sign = Math.sign(p[3] * q[3] + p[4] * q[4] + p[5] * q[5] + p[6] * q[6]) || 1;
  const times = (r, s) => [r[0] * s[0] - r[1] * s[1] - r[2] * s[2] - r[3] * s[3], r[0] * s[1] + r[1] * s[0] + r[2] * s[3] - r[3] * s[2],
                           r[0] * s[2] - r[1] * s[3] + r[2] * s[0] + r[3] * s[1], r[0] * s[3] + r[1] * s[2] - r[2] * s[1] + r[3] * s[0]];
  const turn = times(q.slice(3).map((x) => sign * x), [p[3], -p[4], -p[5], -p[6]]);
  const size = Math.hypot(turn[1], turn[2], turn[3]), angle = 2 * Math.atan2(size, turn[0]);
  const half = share * angle / 2, axis = turn.slice(1).map((x) => size > 0 ? x / size : 0);
  const rotation = times([Math.cos(half), ...axis.map((x) => x * Math.sin(half))], p.slice(3));
  return [0, 1, 2].map((k) => p[k] + share * (q[k] - p[k])).concat(rotation);
}

function assertNear(found, expected, tolerance, what) {
  assert.equal(found.length, expected.length, what);
  found.forEach((value, i) => assert.ok(Math.abs(value - expected[i]) <= tolerance, `${what}: ${value} instead of ${expected[i]} (${i})`));
}

/** All bodies at frames and between them. */
async function assertPoses(page, truth) {
  const last = truth.frames.length - 1;
  for (const [frame, share] of [[0, 0], [Math.floor(last / 3), 0], [Math.floor(last / 2), 0.35], [last - 1, 0.8], [last, 0]]) {
    const from = truth.frames[frame], to = truth.frames[Math.min(last, frame + 1)];
    const matrices = await page.evaluate(([time, bodies]) => {
      cairn.player.seek(time);
      return Array.from({ length: bodies }, (_, i) => cairn.stage.bodyMatrix(i));
    }, [from.time + share * (to.time - from.time), truth.bodies]);
    matrices.forEach((matrix, i) => {
      const pose = share > 0 ? between(from.poses[i], to.poses[i], share) : from.poses[i];
      assertNear(matrix, matrixOf(pose), 2e-5, `frame ${frame} + ${share}, body ${i}`);
    });
  }
}

test("every kind of shape is where the recording says, and can be clicked on", async () => {
  for (const scene of [solidScene, planarScene]) {
    const bytes = record(scene), truth = readRecording(bytes);
    await withPage(bytes, async (page) => {
      await assertPoses(page, truth);
      const seen = await page.evaluate(() => {
        const box = document.querySelector("canvas").getBoundingClientRect(), pose = new Float64Array(7);
        cairn.player.seekFrame(0);
        cairn.stage.look("top");
        window.picked = [];
        cairn.stage.onPick((body) => picked.push(body));
        return Array.from({ length: cairn.recording.bodies }, (_, i) => {
          cairn.recording.pose(0, i, pose);
          const [x, y] = cairn.stage.project([pose[0], pose[1], pose[2]]);
          return [box.left + (x + 1) / 2 * box.width, box.top + (1 - y) / 2 * box.height];
        });
      });
      for (let i = 1; i < seen.length; ++i) await page.mouse.click(seen[i][0], seen[i][1]);
      assert.deepEqual(await page.evaluate(() => picked), seen.map((_, i) => i).slice(1), scene.name);
    });
  }
});

test("scenes of the gallery move as recorded", async () => {
  for (const [name, time] of [["tumbling", 2], ["rolling-ellipse", 1], ["four-bar", 1], ["ring2", 0.3]]) {
    const bytes = record(`gallery:${name}`, { time, every: 5 });
    await withPage(bytes, (page) => assertPoses(page, readRecording(bytes)));
  }
});

test("rotations of opposite sign are the same, and the turn between them is the short one", async () => {
  const turned = poseAt(1, 0.4), poses = [poseAt(0), turned.map((x, i) => i < 3 ? x : -x)];
  const scene = '{"bodies": [{"shapes": [{"kind": "box", "half": [1, 1, 1]}]}]}';
  const bytes = writeRecording({ bodies: 1, dt: 1, scene, frames: poses.map((pose) => ({ poses: [pose] })) });
  await withPage(bytes, async (page) => {
    const matrix = await page.evaluate(() => { cairn.player.seek(0.5); return cairn.stage.bodyMatrix(0); });
    assertNear(matrix, matrixOf(poseAt(0.5, 0.2)), 1e-6, "half way");
  });
});

test("arrows are the impulses of the recording, over the time step", async () => {
  for (const [scene, options] of [["gallery:box-on-floor", { time: 1 }], ["gallery:disks", { time: 1, every: 5 }], ["gallery:stack-10", { time: 0.2 }]]) {
    const bytes = record(scene, options), truth = readRecording(bytes), { bodies, planar } = JSON.parse(truth.scene), kinds = bodies.map((body) => body.kind ?? "free");
    await withPage(bytes, async (page) => {
      const scale = await page.evaluate(() => { cairn.stage.set({ forces: true }); return cairn.stage.metresPerNewton; });
      let longest = 0, compared = 0;
      for (const share of [0.2, 0.6, 1]) {
        const index = Math.floor(share * (truth.frames.length - 1));
        const arrows = await page.evaluate((i) => { cairn.player.seekFrame(i); return cairn.stage.arrows(); }, index);
        const pushing = truth.frames[index].contacts.filter(({ numbers: n }) => Math.hypot(n[7], n[8], n[9]) * scale / truth.dt > 1e-6);
        assert.equal(arrows.length, pushing.length);
        arrows.forEach(({ point, tip }, i) => {
          const { a, b, numbers: n } = pushing[i];
          const isOne = (kinds[a] === "free") !== (kinds[b] === "free"), up = planar ? n[8] : n[9]; // the force on what moves; of two, on what is held up
          const sign = isOne ? (kinds[a] === "free" ? 1 : -1) : up < 0 ? -1 : 1;
          const force = [n[7], n[8], n[9]].map((x) => sign * x / truth.dt), length = Math.hypot(...force) * scale;
          const drawn = tip.map((x, k) => x - point[k]);
          assertNear(point, n.slice(0, 3), 1e-4, "point");
          if (Math.hypot(...drawn) < 0.99 * length) return; // cut: a rare blow
          assertNear(drawn, force.map((x) => x * scale), 1e-4 * Math.max(1, length), "arrow");
          longest = Math.max(longest, length);
          compared++;
        });
      }
      assert.ok(compared > 0 && longest > 0, scene);
      const [few, half] = await page.evaluate(() => {
        const count = () => cairn.stage.arrows().length;
        cairn.stage.set({ forceThreshold: 2 });
        const few = count();
        cairn.stage.set({ forceThreshold: 0, forceScale: 0.5 });
        return [few, cairn.stage.metresPerNewton];
      });
      assert.equal(few, 0);
      assertNear([half], [scale / 2], 1e-12, "scale");
    });
  }
});

test("between frames contacts go along with the bodies", async () => {
  const bytes = record("gallery:box-on-floor", { time: 0.4, every: 10 }), truth = readRecording(bytes);
  await withPage(bytes, async (page) => {
    const arrows = await page.evaluate(() => {
      cairn.stage.set({ forces: true });
      cairn.player.seek(0.5 * (cairn.player.times[1] + cairn.player.times[2]));
      return cairn.stage.arrows();
    });
    const box = (frame) => truth.frames[frame].poses[1][0], half = 0.5 * (box(2) - box(1)); // slides along x
    assert.ok(half > 0.01);
    assert.equal(arrows.length, 4);
    arrows.forEach(({ point }, i) => assert.ok(Math.abs(point[0] - truth.frames[1].contacts[i].numbers[0] - half) < 1e-4));
  });
});

test("the largest force of a steady scene is a fifth of the scene's size", async () => {
  const bytes = record("gallery:heavy-on-light", { time: 0.3 }), truth = readRecording(bytes);
  const largest = Math.max(...truth.frames.flatMap((frame) => frame.contacts.map(({ numbers: n }) => Math.hypot(n[7], n[8], n[9]) / truth.dt)));
  await withPage(bytes, async (page) => {
    const scale = await page.evaluate(() => cairn.stage.metresPerNewton), heights = truth.frames[0].poses.map((pose) => pose[2]);
    const size = Math.max(...heights) - Math.min(...heights); // of a tower, without the halves of its ends
    assert.ok(largest * scale > 0.15 * size && largest * scale < 0.5 * size, `${largest * scale} of ${size}`);
  });
});

test("playing advances, and a paused stage is not drawn again", async () => {
  await withPage(record("gallery:tumbling", { time: 3 }), async (page) => {
    const start = await page.evaluate(() => { cairn.player.seek(0.5); cairn.player.play(); return cairn.player.time; });
    await page.waitForFunction((time) => cairn.player.time > time + 0.3, start);
    assert.ok(await page.evaluate(() => cairn.stage.framesPerSecond) > 0);
    await page.evaluate(() => cairn.player.pause());
    await page.waitForTimeout(1500);
    const pictures = () => page.evaluate(() => cairn.stage.pictures);
    const before = await pictures();
    await page.waitForTimeout(500);
    assert.equal(await pictures(), before);
    await page.evaluate(() => cairn.player.stepFrames(1));
    await page.waitForFunction((count) => cairn.stage.pictures > count, before);
  });
});

test("following keeps the body in the middle, and letting go does not jump", async () => {
  for (const [name, body] of [["four-bar", 0], ["rolling-ellipse", 1], ["humanoid", 1]]) {
    await withPage(record(`gallery:${name}`, { time: 0.5, every: 5 }), async (page) => {
      for (const share of [0.1, 0.5, 0.93]) {
        const [x, y] = await page.evaluate(([body, share]) => {
          cairn.stage.set({ follow: body });
          cairn.player.seek(share * cairn.player.end);
          return cairn.stage.project(cairn.stage.bodyMatrix(body).slice(12, 15));
        }, [body, share]);
        assertNear([x, y], [0, 0], 1e-4, name);
      }
      const [x, y] = await page.evaluate((body) => {
        cairn.stage.set({ follow: -1 });
        return cairn.stage.project(cairn.stage.bodyMatrix(body).slice(12, 15));
      }, body);
      assertNear([x, y], [0, 0], 1e-4, name);
    });
  }
});

test("the whole scene is in view from every side", async () => {
  for (const name of ["humanoid", "disks"]) {
    const bytes = record(`gallery:${name}`, { time: 0.5, every: 10 }), truth = readRecording(bytes);
    const moving = JSON.parse(truth.scene).bodies.flatMap((body, i) => (body.kind ?? "free") === "free" ? [i] : []);
    await withPage(bytes, async (page) => {
      for (const direction of ["home", "front", "side", "top"]) {
        const points = truth.frames.flatMap((frame) => moving.map((i) => frame.poses[i].slice(0, 3)));
        const seen = await page.evaluate(([direction, points]) => {
          cairn.stage.look(direction);
          return points.map((p) => cairn.stage.project(p));
        }, [direction, points]);
        assert.ok(seen.every(([x, y]) => Math.abs(x) <= 1 && Math.abs(y) <= 1), `${name} ${direction}`);
        assert.ok(Math.max(...seen.map(([x, y]) => Math.max(Math.abs(x), Math.abs(y)))) > 0.3, `${name} ${direction}: too far away`);
      }
    });
  }
});

test("dragging turns the view in space and moves it in the plane; the wheel zooms; the window may change", async () => {
  for (const [name, turns] of [["tumbling", true], ["rolling-ellipse", false]]) {
    await withPage(record(`gallery:${name}`, { time: 0.3 }), async (page) => {
      const centre = () => page.evaluate(() => cairn.stage.project(cairn.stage.bodyMatrix(cairn.recording.bodies - 1).slice(12, 15)));
      const up = () => page.evaluate(() => {
        const [a, b] = [cairn.stage.project([0, 0, 0]), cairn.stage.project([1, 0, 0])];
        return [b[0] - a[0], b[1] - a[1]];
      });
      const [before, ahead] = [await centre(), await up()];
      await page.mouse.move(640, 300);
      await page.mouse.down();
      await page.mouse.move(740, 340, { steps: 4 });
      await page.mouse.up();
      const [moved, turned] = [await centre(), await up()];
      if (turns) assert.ok(Math.hypot(turned[0] - ahead[0], turned[1] - ahead[1]) > 0.01);
      else {
        assertNear(turned, ahead, 1e-6, "not turned");
        assert.ok(Math.hypot(moved[0] - before[0], moved[1] - before[1]) > 0.05);
      }
      await page.mouse.wheel(0, -400);
      await page.waitForTimeout(100);
      const zoomed = await up();
      assert.ok(Math.hypot(...zoomed) > 1.05 * Math.hypot(...turned));
      await page.setViewportSize({ width: 500, height: 800 });
      await page.waitForFunction(() => document.querySelector("canvas").clientWidth <= 500);
    });
  }
});

test("a view that no one has turned fits the window when that changes", async () => {
  const bytes = record("gallery:table-8", { time: 0.1 });
  await withPage(bytes, async (page) => {
    await page.setViewportSize({ width: 360, height: 800 });
    await page.waitForFunction(() => document.querySelector("canvas").clientWidth <= 360);
    await page.waitForTimeout(200);
    const feet = readRecording(bytes).frames.at(-1).contacts.map((contact) => contact.numbers.slice(0, 3));
    const seen = await page.evaluate((points) => points.map((p) => cairn.stage.project(p)), feet);
    assert.ok(seen.length >= 8 && seen.every(([x, y]) => Math.abs(x) <= 1 && Math.abs(y) <= 1), JSON.stringify(seen));
  });
});

test("every option can be turned on and off, by day and by night", async () => {
  for (const name of ["hoist", "leg"]) {
    await withPage(record(`gallery:${name}`, { time: 0.3, every: 4 }), async (page) => {
      for (const isDark of [false, true]) {
        for (const on of [true, false]) {
          const names = ["contacts", "normals", "forces", "cones", "joints", "trails", "shadows", "grid", "wire"];
          await page.evaluate((options) => cairn.stage.set(options), { ...Object.fromEntries(names.map((name) => [name, on])), isDark });
          await page.evaluate(() => { cairn.player.seek(cairn.player.end / 2); cairn.stage.highlight(0); });
          await page.waitForTimeout(60);
          await page.evaluate(() => { cairn.stage.highlight(10000); cairn.stage.highlight(-1); });
        }
      }
      await page.evaluate(() => cairn.stage.dispose());
      assert.equal(await page.evaluate(() => cairn.stage.canvas.isConnected), false);
    });
  }
});

test("recordings without a scene, without bodies or with one frame are shown", async () => {
  const poses = [poseAt(0), poseAt(1)];
  for (const made of [{ bodies: 2, scene: "", frames: [{ poses }] }, { bodies: 0, frames: [{ poses: [] }, { poses: [] }] },
                      { bodies: 2, scene: '{"bodies": [null, {"shapes": [{"kind": "hull"}, {"kind": "plane"}, 5]}], "joints": [{}]}', frames: [{ poses }, { poses }] }]) {
    await withPage(writeRecording(made), async (page) => {
      await page.evaluate(() => cairn.stage.set({ contacts: true, forces: true, joints: true, trails: true, cones: true, normals: true, follow: 1 }));
      await page.evaluate(() => { cairn.player.play(); cairn.stage.home(); });
      await page.waitForTimeout(200);
    });
  }
});

test("a finger picks a body", async () => {
  await withPage(record("gallery:box-on-floor", { time: 0.1 }), async (page) => {
    const [x, y] = await page.evaluate(() => {
      window.picked = [];
      cairn.stage.onPick((body) => picked.push(body));
      return cairn.stage.project(cairn.stage.bodyMatrix(1).slice(12, 15));
    });
    const box = await page.evaluate(() => document.querySelector("canvas").getBoundingClientRect().toJSON());
    await page.touchscreen.tap(box.left + (x + 1) / 2 * box.width, box.top + (1 - y) / 2 * box.height);
    await page.touchscreen.tap(box.left + 5, box.top + 5);
    assert.deepEqual(await page.evaluate(() => picked), [1, -1]);
  }, { touch: true });
});

test("pictures of the gallery", async () => {
  const scenes = [["stack-100", 0.3, {}], ["hoist", 2, { joints: false, contacts: true, forces: true }], ["humanoid", 1, { contacts: true, forces: true }],
                  ["brazil-nut", 1, {}], ["ring2", 0.6, { trails: true, contacts: true, forces: true, isDark: true }],
                  ["table-8", 0.5, { contacts: true, forces: true, cones: true }], ["four-bar", 1, { joints: true, trails: true, isDark: true }]];
  for (const [name, time, options] of scenes) {
    await withPage(record(`gallery:${name}`, { time, every: 2 }), async (page) => {
      await page.evaluate((options) => { cairn.stage.set(options); cairn.player.seek(0.7 * cairn.player.end); }, options);
      await page.waitForTimeout(1500);
      await page.screenshot({ path: picturePath(`stage-${name}.png`) });
    });
  }
});
