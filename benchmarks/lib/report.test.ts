import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { AGENT_SOURCES, benchmarks, circumstances } from "./report.mjs";

it("the sources of the agent benchmark are listed without recorded trajectories", () => {
  const listed = execFileSync("git", ["ls-files", "--", ...AGENT_SOURCES], {
    cwd: benchmarks,
    encoding: "utf8",
  });
  const files = listed.split("\n");
  expect(files).toContain("agent/main.ts");
  expect(files).toContain("agent/scenarios/issue-view.yaml");
  expect(files.filter((name) => name.startsWith("agent/trajectories/"))).toEqual([]);
});

it("benchmarks/README.md lists every suite", () => {
  const page = readFileSync(join(benchmarks, "README.md"), "utf8");
  const listed = [...page.matchAll(/^\| `([\w-]+)` /gm)].map(([, name = ""]) => name);
  const suites = readdirSync(join(benchmarks, "suites")).map((name) => name.replace(".mjs", ""));
  expect(suites.filter((name) => !listed.includes(name))).toEqual([]);
});

it("a benchmark report names the checked-out commit", () => {
  const commit = execFileSync("git", ["rev-parse", "--short", "HEAD"], {
    cwd: benchmarks,
    encoding: "utf8",
  });
  expect(circumstances(AGENT_SOURCES)).toContain(`commit ${commit.trim()}`);
});
