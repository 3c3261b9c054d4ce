import { describe, it } from "vitest";
import { hasProgram, howToInstall } from "../../scripts/setup.mjs";
import type { Program } from "../../scripts/setup.mjs";

/**
 * A test suite that uses a real program. If the program is missing, the suite is skipped with a
 * message on a contributor's machine, and fails in CI, where a skipped suite would look like a
 * passed one.
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
