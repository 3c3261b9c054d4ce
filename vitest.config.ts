import { defineConfig } from "vitest/config";

// Workspace packages resolve to their source, so tests need no build.
const conditions = ["@waybill/source"];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ["packages/*/src/**/*.test.ts", "test/**/*.test.ts", "benchmarks/**/*.test.ts"],
    globalSetup: ["test/support/global-setup.ts"],
    // These limits end a test that hangs. None is a statement about speed: tests also run on busy
    // machines.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    teardownTimeout: 60_000,
    expect: { poll: { timeout: 60_000, interval: 20 } },
    // Vitest leaves one core free, which on a machine of two is half of it.
    maxWorkers: "100%",
    typecheck: {
      enabled: true,
      include: ["packages/*/src/**/*.test-d.ts", "test/**/*.test-d.ts"],
      tsconfig: "tsconfig.test.json",
    },
    coverage: {
      provider: "v8",
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
