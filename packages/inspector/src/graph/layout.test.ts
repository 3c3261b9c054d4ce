import { describe, expect, it } from "vitest";
import { getLayout } from "./layout.ts";
import type { Layout } from "./layout.ts";

const FILES = [
  "packages/core/src/a.ts",
  "packages/core/src/b.ts",
  "packages/core/src/deep/c.ts",
  "packages/app/src/main.ts",
  "vite.config.ts",
];

function distance(layout: Layout, a: number, b: number): number {
  return Math.hypot(layout.x[a]! - layout.x[b]!, layout.y[a]! - layout.y[b]!);
}

describe("graph layout", () => {
  const layout = getLayout(FILES, () => 0);

  it("the layout of the inspector's code graph picture is equal each time it is computed", () => {
    expect(getLayout(FILES, () => 0)).toEqual(layout);
  });

  it("the layout of the inspector's code graph picture places files so that no two overlap", () => {
    for (let a = 0; a < FILES.length; a++) {
      for (let b = 0; b < a; b++) {
        expect(distance(layout, a, b)).toBeGreaterThan(layout.r[a]! + layout.r[b]!);
      }
    }
  });

  it("the layout of the inspector's code graph picture places files inside the circles of their folders only", () => {
    for (const { path, x, y, r } of layout.folders) {
      for (const [file, name] of FILES.entries()) {
        const isInside = Math.hypot(layout.x[file]! - x, layout.y[file]! - y) <= r;
        expect([name, path, isInside]).toEqual([
          name,
          path,
          path === "" || name.startsWith(`${path}/`),
        ]);
      }
    }
  });

  it("the layout of the inspector's code graph picture draws a folder with a single subfolder as one circle", () => {
    expect(layout.folders.map(({ label }) => label)).toEqual([
      "",
      "packages",
      "core/src",
      "app/src",
      "deep",
    ]);
  });

  it("the layout of the inspector's code graph picture draws files with more weight larger", () => {
    const weighed = getLayout(FILES, (file) => (file === 1 ? 50 : 0));
    expect(weighed.r[1]!).toBeGreaterThan(weighed.r[0]!);
  });

  it("the layout of the inspector's code graph picture accepts an empty graph", () => {
    expect(getLayout([], () => 0).x).toHaveLength(0);
  });

  it("the layout of the inspector's code graph picture accepts folders 500 levels deep and names with special characters", () => {
    const deep = `${"a/".repeat(500)}<b>&.ts`;
    expect(getLayout([deep, "__proto__/constructor.ts"], () => 0).r[0]).toBeGreaterThan(0);
  });
});
