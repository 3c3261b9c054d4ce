import { describe, expect, it } from "vitest";
import { shown, tinyView } from "../../fixtures/tiny-view.ts";
import { moduleInfo } from "../modules/module.ts";
import { impact } from "./impact.ts";

const view = tinyView({
  "lib/low.ts": { symbols: ["low"], exports: ["low"] },
  "lib/a.js": { imports: ["lib/low.ts"], symbols: ["run"], exports: ["run"] },
  "lib/a.d.ts": {},
  "lib/b.mjs": {},
  "lib/b.d.mts": {},
  "lib/c.jsx": {},
  "use.ts": { imports: ["lib/a.d.ts"] },
  "plain.js": {},
  "other.d.ts": {},
});
const EDITED = { path: "lib/low.ts", status: "modified", lines: [] } as const;
const ONE = ["1 JavaScript file without importers, because imports lead to its type declarations"];

async function readWhy(target: string): Promise<unknown> {
  const answer = await shown<{ why?: unknown }>(impact(view, { target }));
  return answer.why ?? "exact";
}

describe("a JavaScript file with types beside it", () => {
  it.each(["lib/a.js", "lib/b.mjs"])(
    "dependents are reported as incomplete (a lower bound) and the risk is unknown for a JavaScript file with types in a .d.ts file: %s",
    async (target) => {
      expect(await shown(impact(view, { target }))).toMatchObject({
        completeness: "lower-bound",
        why: ONE,
        riskAssessment: { level: "unknown" },
      });
      expect(await shown(moduleInfo(view, { target }))).toMatchObject({ why: ONE });
    },
  );

  it("dependents are reported as incomplete (a lower bound) for a file that a JavaScript file with a .d.ts file imports", async () => {
    expect(await readWhy("lib/low.ts")).toEqual(ONE);
  });

  it("dependents are reported as incomplete (a lower bound) for a folder and a diff that a JavaScript file with a .d.ts file uses", async () => {
    expect(await readWhy("lib")).toEqual([
      "2 JavaScript files without importers, because imports lead to their type declarations",
    ]);
    const edited = { ...view, changedSince: () => Promise.resolve([EDITED]) };
    const diff = impact(edited, { changedSince: "main" });
    expect(await shown(diff)).toMatchObject({ why: ONE });
  });

  it("dependents are reported as complete (exact) for files without a .d.ts file beside them and for the .d.ts files", async () => {
    const targets = ["plain.js", "lib/c.jsx", "lib/a.d.ts", "other.d.ts", "use.ts"];
    for (const target of targets)
      expect([target, await readWhy(target)]).toEqual([target, "exact"]);
  });
});
