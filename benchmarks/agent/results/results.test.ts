import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { root } from "../../../scripts/run.mjs";
import { play, sampleRun } from "../figures/fixtures/sample.ts";
import { resultParts, writePlots } from "./index.ts";

const failed = play({ scenario: "odd", passed: false, reason: "it_is *so* | <b>" });
const OUTCOME = { played: [...sampleRun(2), failed], absent: [] };
const STAMP = "today · commit abc1234";
const FACTS = { assumptions: ["Ten operations make a session."], why: () => ({}) };

function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), "waybill-results-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

it("RESULTS.md shows every plot", () => {
  const folder = join(scratch(), "images");
  writePlots(OUTCOME.played, folder);
  const [, , pictures = ""] = resultParts(OUTCOME, FACTS, root, STAMP);
  const shown = [...pictures.matchAll(/\.\.\/docs\/images\/([\w-]+\.svg)/g)].map(
    ([, name = ""]) => name,
  );
  expect(readdirSync(folder).toSorted()).toEqual(shown.toSorted());
  expect(readFileSync(join(folder, "benchmark-calls.svg"), "utf8")).toMatch(/^<svg /);
});

it("RESULTS.md ends with the drift since the last release, or says why the drift is unknown", () => {
  expect(resultParts(OUTCOME, FACTS, root, STAMP).at(-1)).toMatch(
    /There is no release yet|^Since /,
  );
  expect(resultParts(OUTCOME, FACTS, scratch(), STAMP).at(-1)).toMatch(
    /^The drift could not be computed: /,
  );
});

it("RESULTS.md has the form that the formatter leaves unchanged", () => {
  const given = `# Results\n\n${resultParts(OUTCOME, FACTS, root, STAMP).join("\n\n")}\n`;
  const oxfmt = join(root, "node_modules/.bin/oxfmt");
  const options = { cwd: root, encoding: "utf8", input: given } as const;
  expect(execFileSync(oxfmt, ["--stdin-filepath=x.md"], options)).toBe(given);
});
