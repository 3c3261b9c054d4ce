import type { GraphPicture } from "@waybill/server";
import { describe, expect, it } from "vitest";
import { getLinks } from "./links.ts";
import { LINE, RING, getLook } from "./look.ts";
import type { Asked, Look, Marks } from "./look.ts";

/** 0 → 1 → 2, 1 ⇄ 3 in a circle, 0 → 2 forbidden, 4 alone and changed. */
const picture: GraphPicture = {
  root: "/tree",
  files: ["a.ts", "b.ts", "c.ts", "d.ts", "e.ts"],
  imports: [0, 1, 1, 2, 1, 3, 3, 1, 0, 2],
  layers: ["low", "high"],
  layer_of: [1, 1, 0, 0, -1],
  hotspots: [{ file: 2, score: 1 }],
  cycles: [[1, 3]],
  violations: [
    { from: 0, to: 2, rule: "no", message: "a must not" },
    { from: 4, to: -1, rule: "no", message: "e must not" },
  ],
  changed: [4, 1],
  notes: [],
};
const links = getLinks(picture);
const ALL: Marks = { violations: true, cycles: true, hotspots: true, changed: true, imports: true };
const NONE: Marks = {
  violations: false,
  cycles: false,
  hotspots: false,
  changed: false,
  imports: false,
};

function look(asked: Asked, marks: Marks = ALL): Look {
  return getLook(picture, links, asked, marks);
}

function litIn({ lit }: Look): number[] {
  return [...(lit ?? []).keys()].filter((file) => lit?.[file] === 1);
}

describe("a look at everything", () => {
  it("marks imports by the worst that is known of them", () => {
    const { lines, lit } = look({});
    expect(lit).toBeUndefined();
    const { quiet, cycle, violation } = LINE;
    expect([...lines]).toEqual([quiet, quiet, cycle, cycle, violation]);
  });

  it("puts rings around files", () => {
    const { rings } = look({});
    expect([...rings]).toEqual([
      RING.violation,
      RING.cycle | RING.changed,
      RING.violation | RING.hotspot,
      RING.cycle,
      RING.violation | RING.changed,
    ]);
  });

  it("shows nothing of what is switched off", () => {
    const { lines, rings } = look({}, NONE);
    expect([...lines]).toEqual([0, 0, 0, 0, 0]);
    expect([...rings]).toEqual([0, 0, 0, 0, 0]);
  });
});

describe("a look at", () => {
  it("a file lights what it imports and what imports it", () => {
    const asked = look({ selected: 2 });
    expect(litIn(asked)).toEqual([0, 1, 2]);
    expect([...asked.lines]).toEqual([0, LINE.lit, 0, 0, LINE.violation]);
    expect(asked.litLines).toBe(1);
    expect(asked.named).toEqual([2]);
  });

  it("its impact lights what depends on it, however indirectly", () => {
    const asked = look({ selected: 3, impact: "file" });
    expect(litIn(asked)).toEqual([0, 1, 3]);
    expect([...asked.lines]).toEqual([LINE.lit, 0, LINE.cycle, 0, 0]);
  });

  it("the working diff lights what depends on any of it", () => {
    const asked = look({ impact: "diff" });
    expect(litIn(asked)).toEqual([0, 1, 3, 4]);
    expect(asked.named).toEqual([4, 1]);
  });

  it("ways lights their files and steps alone", () => {
    const asked = look({ selected: 0, impact: "file", ways: [[0, 1, 2]] });
    expect(litIn(asked)).toEqual([0, 1, 2]);
    expect([...asked.lines]).toEqual([LINE.lit, LINE.lit, 0, 0, 0]);
  });

  it("a layer lights its files", () => {
    expect(litIn(look({ layer: 0 }))).toEqual([2, 3]);
  });
});
