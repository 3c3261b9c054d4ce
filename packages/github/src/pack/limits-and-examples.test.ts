import { describe, expect, it, onTestFinished } from "vitest";
import { loadDescription } from "../description/index.ts";
import { cards } from "./cards.ts";
import { startEmbedded } from "./fixtures/embedded.ts";

const all = cards.summaries.map(({ id }) => cards.cardById(id)!);

type Path = readonly {
  readonly parts: readonly unknown[];
  readonly many?: true;
}[];

/**
 * A pattern that matches the same path in GitHub's description, whatever its parameters are called.
 */
function pathPattern(path: Path): RegExp {
  const segments = path.map(({ parts, many }) => {
    const texts = parts.map((part) =>
      typeof part === "string" ? part.replaceAll(/[.*+?^$()|[\]\\{}]/gu, String.raw`\$&`) : "[^/]+",
    );
    return many === true ? ".+" : texts.join("");
  });
  return new RegExp(`^/${segments.join("/")}$`, "u");
}

interface Parameter {
  readonly $ref?: string;
  readonly name?: string;
  readonly description?: string;
}

/**
 * The largest page size that GitHub's description states for a path; undefined if it states none.
 */
async function largestPage(path: Path): Promise<number | undefined> {
  const { paths, components } = await loadDescription();
  const known = components as { parameters: Record<string, Parameter> };
  const pattern = pathPattern(path);
  const found = Object.keys(paths).find((each) => pattern.test(each));
  const { get } = paths[found ?? ""] as { get?: { parameters?: readonly Parameter[] } };
  const parameters = (get?.parameters ?? []).map((each) =>
    each.$ref === undefined ? each : known.parameters[each.$ref.split("/").at(-1)!]!,
  );
  const said = parameters.find(({ name }) => name === "per_page")?.description ?? "";
  const size = /\(max (\d+)\)/u.exec(said)?.[1];
  return size === undefined ? undefined : Number(size);
}

describe("limits of cards", () => {
  const paged = all.filter(({ inputSchema }) => JSON.stringify(inputSchema).includes('"first"'));

  it("every GitHub card of a list has a page size limit", () => {
    const parts = paged.flatMap(({ id, parts: { graphql = [], rest = [] } }) =>
      [...graphql, ...rest].map(({ limits }) => [id, limits?.maxPageSize]),
    );
    expect(parts.length).toBeGreaterThan(60);
    expect(parts.filter(([, size]) => size === undefined)).toEqual([]);
  });

  it("GitHub cards use the page size limits of GitHub's REST description", async () => {
    const told: unknown[] = [];
    for (const { id, parts } of paged) {
      for (const part of parts.rest ?? []) {
        if (part.kind !== "rest") continue;
        const { path, limits } = part;
        const size = await largestPage(path);
        if (size !== undefined) told.push([id, size, limits?.maxPageSize]);
      }
    }
    expect(told.length).toBeGreaterThan(20);
    expect(told.filter((each) => (each as number[])[1] !== (each as number[])[2])).toEqual([]);
  });
});

describe("examples of cards", () => {
  it("explain shows the examples of GitHub cards, and the cards accept their examples as input", async () => {
    const embedded = await startEmbedded();
    onTestFinished(() => embedded.close());
    const { waybill } = embedded;
    const shown = all.filter(({ examples }) => examples !== undefined);
    expect(shown.length).toBeGreaterThan(10);
    for (const { id, examples = [] } of shown) {
      expect((await waybill.explain(id)).examples).toEqual(examples);
      for (const { input } of examples) {
        const { error } = await waybill.execute(id, input, { dry_run: true });
        expect([id, error]).toEqual([id, null]);
      }
    }
  });
});
