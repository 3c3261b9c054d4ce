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

describe.each(EXPORT_FORMATS)("export as %s", (format) => {
  it(`the ${format} export of a graph is equal each time the export is written`, () => {
    expect(exportGraph(view, format)).toBe(exportGraph(view, format));
    expect(exportGraph(view, format)).toMatchSnapshot();
  });

  it(`the ${format} export of a graph is limited to 10 nodes and says how many are left out`, () => {
    const text = exportGraph(tinyView(chainOf(2_000)), format, { level: "file", maxNodes: 10 });
    expect(text.length).toBeLessThan(10_000);
    expect(text).toContain("1990");
  });

  it(`the ${format} export of an empty graph is a document`, () => {
    expect(exportGraph(tinyView({}), format).length).toBeGreaterThan(0);
  });
});

it("the export of a large graph draws folders instead of files", () => {
  const files = Object.fromEntries(
    Array.from({ length: 200 }, (_, at) => [`f${at % 4}/x${at}.ts`, { imports: ["f0/x0.ts"] }]),
  );
  const drawing = JSON.parse(exportGraph(tinyView(files), "json")) as { nodes: object[] };
  expect(drawing.nodes).toEqual(["f0", "f1", "f2", "f3"].map((path) => ({ path, files: 50 })));
});
