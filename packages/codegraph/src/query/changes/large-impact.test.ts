import { expect, it } from "vitest";
import { shown, tinyView } from "../../fixtures/tiny-view.ts";
import { impact } from "./impact.ts";

/** A large code base with a file that only a small share of the other files imports. */
async function riskLevel(dependents: number): Promise<unknown> {
  const files = Object.fromEntries(
    Array.from({ length: 700 }, (_, index) => [
      `src/f${index}.ts`,
      { imports: index < dependents ? ["src/base.ts"] : [] },
    ]),
  );
  const view = tinyView({ "src/base.ts": { exports: ["base"] }, ...files });
  const result = await shown(impact(view, { target: "src/base.ts" }));
  return (result["riskAssessment"] as { level: string }).level;
}

it("graph_impact calls the risk medium for 49 affected files and high for 50", async () => {
  expect([await riskLevel(49), await riskLevel(50)]).toEqual(["medium", "high"]);
});
