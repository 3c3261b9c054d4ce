import { describe, expect, it } from "vitest";
import { getCount, dependentSteps, linked, getLinks } from "./links.ts";

/** File 0 imports 1 and 2, 1 imports 2, 2 imports 3, and 4 has no imports. */
const links = getLinks({
  files: ["a.ts", "b.ts", "c.ts", "d.ts", "e.ts"],
  imports: [0, 1, 0, 2, 1, 2, 2, 3],
});

describe("links", () => {
  it("the inspector's code graph page can follow each import in both directions", () => {
    expect(linked(links.out, 0)).toEqual([1, 2]);
    expect(linked(links.in, 2)).toEqual([0, 1]);
    expect([getCount(links.in, 3), getCount(links.out, 3), getCount(links.in, 4)]).toEqual([
      1, 0, 0,
    ]);
  });

  it("the inspector's code graph page finds no links in an empty graph", () => {
    expect(dependentSteps(getLinks({ files: [], imports: [] }), [])).toHaveLength(0);
  });
});

describe("dependents", () => {
  it("the inspector's code graph page gives each dependent the number of steps on its shortest path", () => {
    expect([...dependentSteps(links, [3])]).toEqual([2, 2, 1, 0, -1]);
  });

  it("the inspector's code graph page counts dependents up to the requested depth", () => {
    expect([...dependentSteps(links, [3], 1)]).toEqual([-1, -1, 1, 0, -1]);
  });

  it("the inspector's code graph page counts dependents in a cycle once", () => {
    const circle = getLinks({ files: ["a.ts", "b.ts"], imports: [0, 1, 1, 0] });
    expect([...dependentSteps(circle, [0], 100)]).toEqual([0, 1]);
  });
});
