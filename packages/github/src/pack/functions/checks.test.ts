import { describe, expect, it } from "vitest";
import { checkFunctions } from "./checks.ts";

const run = (name: string, status: string, conclusion: string | null) => ({
  name,
  status,
  conclusion,
  detailsUrl: null,
  checkSuite: null,
  annotations: { nodes: [] },
});
const contexts = [
  run("lint", "COMPLETED", "SUCCESS"),
  run("docs", "COMPLETED", "SKIPPED"),
  run("odd", "COMPLETED", "NEUTRAL"),
  run("test", "COMPLETED", "FAILURE"),
  run("slow", "COMPLETED", "TIMED_OUT"),
  run("start", "COMPLETED", "STARTUP_FAILURE"),
  run("gone", "COMPLETED", "CANCELLED"),
  run("build", "IN_PROGRESS", null),
  run("old", "COMPLETED", "STALE"),
  { context: "ci/other", state: "ERROR", targetUrl: "https://ci.example/1" },
  { context: "ci/later", state: "EXPECTED", targetUrl: null },
];

describe("checks", () => {
  it("the GitHub pack counts the checks of a commit as failed, pending or passed", () => {
    const summary = checkFunctions["checkSummary"]!(contexts, {});
    expect(summary).toEqual({ total: 11, failed: 5, pending: 3, passed: 3 });
  });

  it.each([
    ["failed", ["test", "slow", "start", "gone", "ci/other"]],
    ["pending", ["build", "old", "ci/later"]],
    ["passed", ["lint", "docs", "odd"]],
  ])('the GitHub pack filters the checks of a commit by the state "%s"', (state, names) => {
    const found = checkFunctions["checks"]!(contexts, { state }) as { name: string }[];
    expect(found.map(({ name }) => name)).toEqual(names);
  });

  it("the GitHub pack lists commit statuses in the form of checks", () => {
    const checks = checkFunctions["checks"]!(contexts, {}) as object[];
    expect(checks.at(-2)).toEqual({
      name: "ci/other",
      state: "ERROR",
      bucket: "failed",
      workflow: null,
      runId: null,
      link: "https://ci.example/1",
      annotations: [],
    });
  });
});
