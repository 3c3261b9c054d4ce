import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { majors } from "../scripts/node-from-npm.mjs";
import { root } from "../scripts/run.mjs";

interface Step {
  readonly name?: string;
  readonly uses?: string;
  readonly run?: string;
}

interface Combination {
  readonly os: string;
  readonly node: string;
  readonly container?: string;
  readonly unproven?: boolean;
}

interface Job {
  readonly strategy: { readonly matrix: { readonly include: readonly Combination[] } };
  readonly steps: readonly Step[];
}

const read = (path: string) => readFileSync(join(root, path), "utf8");
const { jobs } = parse(read(".github/workflows/ci.yml")) as { jobs: Readonly<Record<string, Job>> };
const verify = jobs["verify"]!;

describe("GitHub Actions workflow", () => {
  it("the GitHub Actions workflow runs the command of .ci/run", () => {
    const [, command] = /^exec (.+)$/m.exec(read(".ci/run")) ?? [];
    expect(command).toBe("npm run --silent verify");
    expect(verify.steps.at(-1)?.run).toBe(command);
  });

  it("the GitHub Actions workflow runs on every supported Node version and on three systems", () => {
    const oldest = /"node": ">=([\d.]+)"/.exec(read("package.json"))?.[1];
    const versions = [oldest, ...majors.slice(1).map(String)];
    const systems = ["ubuntu-24.04", "macos-15", "windows-2025"];
    const wanted = systems.flatMap((os) => versions.map((node) => `${os} ${node}`));
    const { include } = verify.strategy.matrix;
    expect(include.map(({ os, node }) => `${os} ${node}`)).toEqual(wanted);
  });

  it("the GitHub Actions workflow allows failures only on systems other than Linux, which are marked as unproven", () => {
    for (const { os, node, container, unproven } of verify.strategy.matrix.include) {
      const isLinux = os.startsWith("ubuntu");
      expect([unproven, container]).toEqual(
        isLinux ? [undefined, `node:${node}-bookworm`] : [true, undefined],
      );
    }
  });

  it("the GitHub Actions workflow pins every action to a commit and names the action's version", () => {
    const uses = read(".github/workflows/ci.yml")
      .split("\n")
      .filter((line) => /\buses:/.test(line));
    expect(uses.length).toBeGreaterThan(0);
    for (const line of uses)
      expect(line).toMatch(/uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });
});
