import type { GraphPicture } from "@waybill/server";
import { describe, expect, it } from "vitest";
import { getAsked, findHide } from "./graph-query.ts";
import type { AskedByAddress } from "./graph-query.ts";

const picture: GraphPicture = {
  root: "/tree",
  files: ["a.ts", "b & c.ts"],
  imports: [],
  layers: ["low", "high"],
  layer_of: [0, 1],
  hotspots: [],
  cycles: [],
  violations: [],
  changed: [],
  notes: [],
};
const indexOf = new Map(picture.files.map((path, file) => [path, file]));

function asked(query: Readonly<Record<string, string>>): AskedByAddress {
  return getAsked(new URLSearchParams(query), picture, indexOf);
}

describe("graph address", () => {
  it("the inspector's code graph page shows all marks for an address without a query", () => {
    const marks = { violations: true, cycles: true, hotspots: true, changed: true, imports: true };
    expect(asked({})).toEqual({ marks });
  });

  it("the inspector's code graph page reads the selected file, impact, path and layer from its address", () => {
    expect(asked({ file: "b & c.ts", to: "a.ts", impact: "file", layer: "high" })).toMatchObject({
      selected: 1,
      to: 0,
      impact: "file",
      layer: 1,
    });
  });

  it("the inspector's code graph page ignores unknown files and layers in its address", () => {
    const { marks: _, ...rest } = asked({
      file: "gone.ts",
      to: "a.ts",
      impact: "file",
      layer: "x",
    });
    expect(rest).toEqual({});
  });

  it("the inspector's code graph page reads impact=diff without a file from its address", () => {
    expect(asked({ impact: "diff" })).toMatchObject({ impact: "diff" });
  });
});

describe("hidden marks", () => {
  it("the inspector's code graph page writes hidden marks to its address and reads them back", () => {
    const { marks } = asked({ hide: "cycles,imports,nonsense" });
    expect(marks).toMatchObject({ cycles: false, imports: false, hotspots: true });
    expect(findHide(marks)).toBe("cycles,imports");
    expect(findHide(asked({}).marks)).toBeUndefined();
  });
});
