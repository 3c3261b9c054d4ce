import { readFileSync, readdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";
import type { TestProjectInlineConfiguration } from "vitest/config";

// Workspace packages resolve to their source, so tests need no build.
const conditions = ["@waybill/source"];

/** A test of what is loaded says this in a comment; one that mocks modules need not. */
const ISOLATED = /@isolated|\bvi\.(?:mock|resetModules)\(/u;

/** Whether a test file, named from the repository's folder, needs modules of its own. */
export function isIsolated(path: string): boolean {
  const file = join(import.meta.dirname, path);
  return path.startsWith("test/") || ISOLATED.test(readFileSync(file, "utf8"));
}

/** The test files of a folder that need modules of their own, which other files do not share. */
function isolatedIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".test.ts") && !name.includes("node_modules"))
    .map((name) => join(folder, name))
    .filter((file) => ISOLATED.test(readFileSync(file, "utf8")));
}

// Tests of types (*.test-d.ts) are checked by `npm run types`.
const allTests = ["test/**/*.test.ts", "packages/*/src/**/*.test.ts", "benchmarks/**/*.test.ts"];
const isolated = ["test", "packages", "benchmarks"].flatMap(isolatedIn);

/** scripts/mutants changes code in memory, has one project, and decides which files share modules. */
const isMutantRun = process.env["WAYBILL_MUTANT_HITS"] !== undefined;

const projects: TestProjectInlineConfiguration[] = [
  {
    extends: true,
    test: {
      name: "shared",
      include: allTests,
      exclude: ["**/node_modules/**", ...isolated],
      // Loading modules anew for every file takes more time than all the tests.
      isolate: false,
    },
  },
  { extends: true, test: { name: "isolated", include: isolated } },
];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    globalSetup: ["test/support/global-setup.ts"],
    // These limits end a test that hangs. None is a statement about speed: tests also run on busy
    // machines, where one that takes 20 s alone needs ten minutes.
    testTimeout: 1_800_000,
    hookTimeout: 1_800_000,
    teardownTimeout: 60_000,
    expect: { poll: { timeout: 900_000, interval: 20 } },
    // Tests wait for processes and deadlines a third of their time, so there are more workers than
    // cores. Vitest takes a share such as "200%" for all cores, and no more.
    maxWorkers: availableParallelism() * 2,
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
    ...(isMutantRun ? { include: allTests } : { projects }),
    // The next run, also on another version of Node, does not compile the same files again.
    experimental: {
      fsModuleCache: !isMutantRun,
      fsModuleCachePath: "node_modules/.cache/waybill/modules",
    },
    coverage: {
      provider: "custom",
      customProviderModule: "test/support/coverage.ts",
      include: ["packages/*/src/**/*.ts"],
      // The page runs in a browser, where test/inspector drives it and nobody counts its lines.
      exclude: [
        "**/*.test.ts",
        "**/*.test-d.ts",
        "**/generated/**",
        "**/fixtures/**",
        "packages/inspector/**",
      ],
      reporter: ["text-summary"],
      reportsDirectory: "node_modules/.cache/waybill/coverage",
      thresholds: { lines: 90, functions: 90, statements: 90, branches: 85 },
    },
  },
});
