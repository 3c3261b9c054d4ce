import type { GraphPicture } from "@waybill/server";
import { describe, expect, it } from "vitest";
import { getLinks } from "./links.ts";
import { LINE, RING, getLook } from "./picture-style.ts";
import type { Asked, Look, Marks } from "./picture-style.ts";

/**
 * Imports: 0 → 1 → 2, 1 ⇄ 3 (a cycle), and 0 → 2, which a rule forbids. File 4 has no imports and
 * is changed.
 */
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

describe("graph without a selection", () => {
  it("the inspector's code graph picture marks each import by its worst problem", () => {
    const { lines, lit } = look({});
    expect(lit).toBeUndefined();
    const { quiet, cycle, violation } = LINE;
    expect([...lines]).toEqual([quiet, quiet, cycle, cycle, violation]);
  });

  it("the inspector's code graph picture draws rings around files with problems, hotspots and changes", () => {
    const { rings } = look({});
    expect([...rings]).toEqual([
      RING.violation,
      RING.cycle | RING.changed,
      RING.violation | RING.hotspot,
      RING.cycle,
      RING.violation | RING.changed,
    ]);
  });

  it("the inspector's code graph picture draws no marks that are switched off", () => {
    const { lines, rings } = look({}, NONE);
    expect([...lines]).toEqual([0, 0, 0, 0, 0]);
    expect([...rings]).toEqual([0, 0, 0, 0, 0]);
  });
});

describe("graph with a selection", () => {
  it("the inspector's code graph picture highlights the imports of a selected file and the files that import the file", () => {
    const asked = look({ selected: 2 });
    expect(litIn(asked)).toEqual([0, 1, 2]);
    expect([...asked.lines]).toEqual([0, LINE.lit, 0, 0, LINE.violation]);
    expect(asked.litLines).toBe(1);
    expect(asked.named).toEqual([2]);
  });

  it("the inspector's code graph picture highlights everything that depends on a file for its impact", () => {
    const asked = look({ selected: 3, impact: "file" });
    expect(litIn(asked)).toEqual([0, 1, 3]);
    expect([...asked.lines]).toEqual([LINE.lit, 0, LINE.cycle, 0, 0]);
  });

  it("the inspector's code graph picture highlights everything that depends on the working diff", () => {
    const asked = look({ impact: "diff" });
    expect(litIn(asked)).toEqual([0, 1, 3, 4]);
    expect(asked.named).toEqual([4, 1]);
  });

  it("the inspector's code graph picture highlights only the files and steps of a path", () => {
    const asked = look({ selected: 0, impact: "file", ways: [[0, 1, 2]] });
    expect(litIn(asked)).toEqual([0, 1, 2]);
    expect([...asked.lines]).toEqual([LINE.lit, LINE.lit, 0, 0, 0]);
  });

  it("the inspector's code graph picture highlights the files of a layer", () => {
    expect(litIn(look({ layer: 0 }))).toEqual([2, 3]);
  });
});
