import { describe, expect, it } from "vitest";
import type { UnresolvedKind } from "../../graph/index.ts";
import { shown, tinyView } from "../../fixtures/tiny-view.ts";
import type { TinyFile } from "../../fixtures/tiny-graph.ts";
import { impact } from "../changes/impact.ts";
import { references } from "../symbols/references.ts";

const store: TinyFile = {
  exports: ["open", "Store"],
  symbols: [
    { name: "open", exported: true },
    { name: "Store", kind: "class", exported: true },
    { name: "Store.load", kind: "method", parent: "Store" },
    { name: "open.inner", kind: "function", parent: "open" },
  ],
};

async function readWhy(symbol: string, other: TinyFile, path = "other.ts"): Promise<unknown> {
  const view = tinyView({ "store.ts": store, [path]: other });
  const { completeness, why } = await shown<{ completeness: string; why?: string[] }>(
    references(view, { symbol: `store.ts#${symbol}` }),
  );
  return completeness === "exact" ? completeness : why;
}

const using = (name: string, kind: UnresolvedKind): TinyFile => ({ unresolved: [{ name, kind }] });

describe("references to an exported function", () => {
  it("references to a symbol are reported as complete (exact) when no unresolved name matches its name", async () => {
    expect(await readWhy("open", using("close", "value"))).toBe("exact");
  });

  it("references to a symbol are reported as incomplete (a lower bound) because of a file that uses the name without an import", async () => {
    expect(await readWhy("open", using("open", "value"))).toEqual([
      "1 file uses the same name without an import",
    ]);
  });

  it("references to a symbol are reported as incomplete (a lower bound) because of a file that imports the name from an unknown module", async () => {
    expect(await readWhy("open", using("open", "import"))).toEqual([
      "1 file imports the same name from a module that was not found",
    ]);
  });

  it("references to a symbol are reported as incomplete (a lower bound) because of an unparsed file that mentions the name", async () => {
    const file: TinyFile = { ...using("open", "text"), language: "other", kind: "asset" };
    expect(await readWhy("open", file, "main.rs")).toEqual([
      "1 file that is not parsed mentions it",
    ]);
  });

  it("references to a symbol are reported as complete (exact) although members have an equal name, unless a file imports the whole module", async () => {
    const member = using("open", "member");
    expect(await readWhy("open", member)).toBe("exact");
    const whole = { ...member, imports: [{ to: "store.ts", names: ["*"] }] };
    expect(await readWhy("open", whole)).toEqual([
      "1 file uses the same name on a value of unknown type",
    ]);
  });

  it("references to a symbol are reported as complete (exact) although files in another language use an equal name", async () => {
    expect(await readWhy("open", { ...using("open", "value"), language: "python" }, "o.py")).toBe(
      "exact",
    );
  });
});

describe("references to a method", () => {
  it("references to a method are reported as incomplete (a lower bound) when a value of unknown type has a member with the method's name", async () => {
    expect(await readWhy("Store.load", using("load", "member"))).toEqual([
      "1 file uses the same name on a value of unknown type",
    ]);
    expect(await readWhy("Store.load", using("load", "value"))).toBe("exact");
  });

  it("references to a method are reported as incomplete (a lower bound) when an object has a key with the method's name", async () => {
    expect(await readWhy("Store.load", using("load", "key"))).toEqual([
      "1 file has an object with such a key",
    ]);
  });
});

describe("references to a local function", () => {
  it("references to a local function are reported as complete (exact), even when other files use its name", async () => {
    expect(await readWhy("open.inner", using("inner", "member"))).toBe("exact");
  });
});

async function known(files: Record<string, TinyFile>, info = {}): Promise<unknown> {
  const view = tinyView({ "store.ts": store, ...files }, info);
  return shown(impact(view, { target: "store.ts" }));
}

describe("dependents of a file", () => {
  it("dependents are reported as incomplete (a lower bound) when a file uses an exported name without an import", async () => {
    expect(await known({ "page.vue": using("open", "value") })).toMatchObject({
      completeness: "lower-bound",
      why: ["1 file uses one of its names without an import"],
      riskAssessment: { level: "unknown" },
    });
  });

  it("dependents are reported as incomplete (a lower bound) when a file imports an unlisted package", async () => {
    const manifest = {
      path: "package.json",
      dependencies: ["react"],
      devDependencies: [],
      peerDependencies: [],
      optionalDependencies: [],
      bundledDependencies: [],
    };
    const info = { manifests: [manifest] };
    const unlisted = { "a.ts": { packages: ["my-utils"] } };
    expect(await known(unlisted, info)).toMatchObject({ why: ["1 import that was not found"] });
    expect(await known({ "a.ts": { packages: ["react"] } }, info)).toMatchObject({
      completeness: "exact",
    });
  });

  it("dependents are reported as incomplete (a lower bound) in a sparse checkout", async () => {
    const absent = ["a sparse checkout leaves out 3 files"];
    expect(await known({}, { absent })).toMatchObject({ completeness: "lower-bound", why: absent });
  });
});
