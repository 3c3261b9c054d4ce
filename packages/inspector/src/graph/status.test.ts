import { describe, expect, it } from "vitest";
import { getStatus } from "./status.ts";

const picture = { files: ["a.ts", "b.ts", "c.ts"], imports: [0, 1, 1, 2], changed: [2] };
const lit = (...files: number[]) => ({ lit: Uint8Array.from(files) });

describe("status line of the code graph", () => {
  it.each([
    ["3 files, 2 imports", {}, {}],
    ["b.ts has 2 neighbours", { selected: 1 }, lit(1, 1, 1)],
    ["a.ts has 1 neighbour", { selected: 0 }, lit(1, 1, 0)],
    [
      "A change of c.ts affects 2 files within 3 steps",
      { selected: 2, impact: "file" },
      lit(1, 1, 1),
    ],
    ["1 changed file, which 2 others depend on within 3 steps", { impact: "diff" }, lit(1, 1, 1)],
    ["From a.ts to c.ts", { selected: 0, to: 2 }, lit(1, 1, 1)],
    ["1 file is highlighted", { layer: 0 }, lit(0, 1, 0)],
  ] as const)(
    "the status line of the inspector's code graph page says: %s",
    (expected, asked, look) => {
      expect(getStatus(picture, asked, look)).toBe(expected);
    },
  );
});
