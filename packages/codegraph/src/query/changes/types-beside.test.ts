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
    "calls dependents a lower bound and the risk unknown for a JavaScript file with types: %s",
    async (target) => {
      expect(await shown(impact(view, { target }))).toMatchObject({
        completeness: "lower-bound",
        why: ONE,
        riskAssessment: { level: "unknown" },
      });
      expect(await shown(moduleInfo(view, { target }))).toMatchObject({ why: ONE });
    },
  );

  it("calls dependents a lower bound for a file that a JavaScript file with types imports", async () => {
    expect(await readWhy("lib/low.ts")).toEqual(ONE);
  });

  it("calls dependents a lower bound for a folder and a diff that a JavaScript file with types uses", async () => {
    expect(await readWhy("lib")).toEqual([
      "2 JavaScript files without importers, because imports lead to their type declarations",
    ]);
    const edited = { ...view, changedSince: () => Promise.resolve([EDITED]) };
    const diff = impact(edited, { changedSince: "main" });
    expect(await shown(diff)).toMatchObject({ why: ONE });
  });

  it("calls dependents exact for files without types beside them and for the files of types", async () => {
    const targets = ["plain.js", "lib/c.jsx", "lib/a.d.ts", "other.d.ts", "use.ts"];
    for (const target of targets)
      expect([target, await readWhy(target)]).toEqual([target, "exact"]);
  });
});
