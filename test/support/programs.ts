import { describe, it } from "vitest";
import { hasProgram, howToInstall } from "../../scripts/setup.mjs";
import type { Program } from "../../scripts/setup.mjs";

/**
 * A suite that talks to a real program. On a contributor's machine a missing program skips it,
 * visibly; in CI it fails, because there a skipped suite would look like a passed one.
 */
export function describeWithProgram(name: Program, suite: () => void): void {
  const verdict = programVerdict(hasProgram(name), process.env.CI === "true");
  if (verdict === "run") {
    describe(`with ${name}`, suite);
  } else if (verdict === "skip") {
    describe.skip(`with ${name} (skipped: it is not installed)`, suite);
  } else {
    it(`needs ${name}`, () => {
      throw new Error(`${name} is not installed. ${howToInstall(name)}`);
    });
  }
}

export function programVerdict(found: boolean, ci: boolean): "run" | "skip" | "fail" {
  if (found) return "run";
  return ci ? "fail" : "skip";
}
