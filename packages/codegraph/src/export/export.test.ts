import { describe, expect, it } from "vitest";
import { chainOf, tinyView } from "../fixtures/tiny-view.ts";
import { EXPORT_FORMATS, exportGraph } from "./index.ts";

const view = tinyView({
  'src/we"ird <name>&.ts': { imports: ["src/b.ts", { to: "src/types.ts", typeOnly: true }] },
  "src/b.ts": { imports: ["src/c.ts"] },
  "src/c.ts": { imports: ["src/b.ts"] },
  "src/types.ts": {},
  "logo.png": { kind: "asset", state: "skipped", language: "other" },
});

describe.each(EXPORT_FORMATS)("the graph as %s", (format) => {
  it("is the same each time", () => {
    expect(exportGraph(view, format)).toBe(exportGraph(view, format));
    expect(exportGraph(view, format)).toMatchSnapshot();
  });

  it("is bounded, and says what it leaves out", () => {
    const text = exportGraph(tinyView(chainOf(2_000)), format, { level: "file", maxNodes: 10 });
    expect(text.length).toBeLessThan(10_000);
    expect(text).toContain("1990");
  });

  it("writes a well-formed document for an empty graph", () => {
    expect(exportGraph(tinyView({}), format).length).toBeGreaterThan(0);
  });
});

it("shows folders where files are many", () => {
  const files = Object.fromEntries(
    Array.from({ length: 200 }, (_, at) => [`f${at % 4}/x${at}.ts`, { imports: ["f0/x0.ts"] }]),
  );
  const drawing = JSON.parse(exportGraph(tinyView(files), "json")) as { nodes: object[] };
  expect(drawing.nodes).toEqual(["f0", "f1", "f2", "f3"].map((path) => ({ path, files: 50 })));
});
