import { describe, expect, it } from "vitest";
import { shown, tinyView } from "../../fixtures/tiny-view.ts";
import type { TinyFile } from "../../fixtures/tiny-graph.ts";
import { tests } from "./tests.ts";

function testFile(by: string, imports: readonly string[]): TinyFile {
  return { kind: "test", imports, entrypoints: [{ kind: "test", text: "test", detail: by }] };
}

function manifest(path: string, devDependencies: readonly string[]) {
  return {
    path,
    dependencies: [],
    devDependencies,
    peerDependencies: [],
    optionalDependencies: [],
    bundledDependencies: [],
  };
}

const view = tinyView(
  {
    "package.json": { kind: "asset", language: "other" },
    "core.ts": {},
    "core.test.ts": testFile("vitest", ["core.ts"]),
    "helpers/test-helper.ts": { kind: "test", imports: ["core.ts"] },
    "web/package.json": { kind: "asset", language: "other" },
    "web/page.ts": { imports: ["core.ts"] },
    "web/page.spec.ts": testFile("test", ["web/page.ts"]),
    "api/app.py": { language: "python" },
    "api/test_app.py": { ...testFile("pytest", ["api/app.py"]), language: "python" },
    "svc/go.mod": { kind: "asset", language: "other" },
    "svc/run/run.go": { language: "go" },
    "svc/run/run_test.go": { ...testFile("go test", ["svc/run/run.go"]), language: "go" },
    "svc/run/more_test.go": { ...testFile("go test", ["svc/run/run.go"]), language: "go" },
  },
  { manifests: [manifest("package.json", ["vitest"]), manifest("web/package.json", ["jest"])] },
);

describe("tests", () => {
  it.each([
    ["vitest", ["vitest", "run"]],
    ["jest", ["jest"]],
    ["@playwright/test", ["playwright", "test"]],
    ["mocha", ["mocha"]],
    ["ava", ["ava"]],
  ])(
    "graph_tests names the command of %s for the tests of a package if its package.json lists that runner",
    async (name, before) => {
      const files = { "a.ts": {}, "a.test.ts": testFile("test", ["a.ts"]) };
      const own = tinyView(files, { manifests: [manifest("package.json", [name])] });
      const run = [{ runner: before[0], args: [...before, "a.test.ts"] }];
      expect(await shown(tests(own, { target: "a.ts" }))).toMatchObject({ run });
    },
  );

  it("graph_tests lists the tests that reach the target and the command of each runner", async () => {
    expect(await shown(tests(view, { target: "core.ts" }))).toMatchObject({
      tests: ["core.test.ts", "web/page.spec.ts"],
      testsTotal: 2,
      run: [
        { runner: "vitest", args: ["vitest", "run", "core.test.ts"] },
        { runner: "jest", cwd: "web", args: ["jest", "page.spec.ts"] },
      ],
      completeness: "exact",
    });
  });

  it("graph_tests names commands that run Python tests by file and Go tests by package", async () => {
    expect(await shown(tests(view, { target: "api/app.py" }))).toMatchObject({
      run: [{ runner: "pytest", args: ["pytest", "api/test_app.py"] }],
    });
    expect(await shown(tests(view, { target: "svc/run/run.go" }))).toMatchObject({
      tests: ["svc/run/more_test.go", "svc/run/run_test.go"],
      run: [{ runner: "go test", cwd: "svc", args: ["go", "test", "./run"] }],
    });
  });

  it("graph_tests lists the tests of all files of a diff", async () => {
    const changed = ["core.ts", "api/app.py"];
    const changedSince = () =>
      Promise.resolve(changed.map((path) => ({ path, status: "modified" as const, lines: [] })));
    expect(await shown(tests({ ...view, changedSince }, { since: "main" }))).toMatchObject({
      tests: ["core.test.ts", "api/test_app.py", "web/page.spec.ts"],
    });
  });

  it("graph_tests pages the list of tests", async () => {
    const answer = await tests(view, { target: "svc", limit: 1 });
    expect([answer.items.length, answer.limit]).toEqual([2, 1]);
  });
});
