import { describe, expect, it, onTestFinished } from "vitest";
import { temporaryTree } from "../build/testing/temporary-tree.ts";
import { openGraphTools } from "./index.ts";

const USED = "export const used = 1;";
const DEAD = { "src/dead.ts": "export const dead = 1;" };

async function unreachable(files: Readonly<Record<string, string>>): Promise<string[]> {
  const { manifest = "{}", ...rest } = files;
  const tree = { "package.json": manifest, "src/index.ts": "export {};", ...DEAD, ...rest };
  const tools = openGraphTools({ root: temporaryTree(tree), patienceMs: 600_000 });
  onTestFinished(() => tools.close());
  const envelope = await tools.call("issues", { kind: "HANDLER_UNREACHABLE" });
  const { issues } = envelope.data.result as { issues: { file: string }[] };
  return issues.map(({ file }) => file);
}

const needs = (...names: string[]): string =>
  JSON.stringify({ devDependencies: Object.fromEntries(names.map((name) => [name, "1.0.0"])) });

/** Ways to load src/…/used without an import. src/dead.ts is dead in each of them. */
const WAYS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "a function that loads its own folder": {
    "src/jobs/index.ts": "export default requireDirectory<{ a: 1 }>(__dirname);",
    "src/index.ts": 'import "./jobs/index.ts";',
    "src/jobs/used.ts": USED,
  },
  "code that lists its folder": {
    "src/index.ts": 'export default readdirSync(path.join(__dirname, "jobs"));',
    "src/jobs/used.ts": USED,
  },
  "a computed file name in its folder": {
    "src/index.ts": 'export default new Worker(join(base, "jobs", `${name}.js`));',
    "src/jobs/used.ts": USED,
  },
  "a path in a variable below the imports": {
    "src/index.ts": `import "./a.js";
export default { filename: chosen };
import "./b.js";
const chosen = "./jobs/used.js";`,
    "src/a.ts": "export {};",
    "src/b.ts": "export {};",
    "src/jobs/used.ts": USED,
  },
  "a path between imports": {
    "src/index.ts": `import "./a.js";
const worker = new Worker("./jobs/used.js");
import "./b.js";`,
    "src/a.ts": "export {};",
    "src/b.ts": "export {};",
    "src/jobs/used.ts": USED,
  },
  "a glob of the bundler": {
    "src/index.ts": 'export default import.meta.glob<X>(["./jobs/*/used.ts"], { eager: true });',
    "src/jobs/a/used.ts": USED,
  },
  "a glob behind an alias": {
    "src/index.ts": 'export default import.meta.glob("@jobs/*.ts");',
    "src/jobs/used.ts": USED,
  },
  "a script of package.json": {
    manifest: JSON.stringify({ scripts: { a: "cd src && node jobs/used.ts" } }),
    "src/jobs/used.ts": USED,
  },
  "the imports of package.json": {
    manifest: JSON.stringify({ imports: { "#used": { default: "./dist/jobs/used.js" } } }),
    "src/jobs/used.ts": USED,
  },
  "a configuration that names it": {
    "vite.config.ts": 'export default { input: "src/jobs/used.ts" };',
    "src/jobs/used.ts": USED,
  },
  "a test that starts it": {
    "src/a.test.ts": 'it("starts", () => run("./src/jobs/used.ts"));',
    "src/jobs/used.ts": USED,
  },
  "a document with components": {
    "docs/guide.mdx": 'import Used from "@/jobs/used";\n\n# Guide\n\n<Used />\n',
    "src/jobs/used.ts": USED,
  },
  "a function that gets only the name of its folder": {
    "src/index.ts": 'export default importAllFromDir(resolve(root, "jobs"));',
    "src/order/jobs/used.ts": USED,
  },
  "a page's script element": {
    "index.html": '<script type="module" src="/src/jobs/used.ts"></script>',
    "src/jobs/used.ts": USED,
  },
  "an alias that a framework defines": {
    "src/index.ts": 'import { used } from "$lib/jobs/used.svelte";\nexport default used;',
    "src/lib/jobs/used.svelte.ts": USED,
  },
  "a framework that finds it by its path": {
    manifest: needs("next"),
    "src/app/not-found.tsx": "export default () => null;",
    "src/app/old/route.ts": 'export * from "../../index.ts";',
  },
  "the declaration file beside it": {
    "src/index.ts": 'export { used } from "./used";',
    "src/used.js": USED,
    "src/used.d.ts": "export declare const used: number;",
  },
  "a bundler that adds a platform suffix to its name": {
    "src/index.ts": 'export { used } from "./used.ts";',
    "src/used.ts": USED,
    "src/used.electron.ts": USED,
  },
};

describe("used files", () => {
  it.each(Object.entries(WAYS))(
    "a file is not called unreachable when it is loaded by %s",
    async (_way, files) => {
      expect(await unreachable(files)).toEqual(["src/dead.ts"]);
    },
  );
});

describe("unreachable files", () => {
  it("a file is called unreachable when code only names the folders above the file", async () => {
    const files = { "src/index.ts": 'export default path.resolve(__dirname, "..", "src");' };
    expect(await unreachable(files)).toEqual(["src/dead.ts"]);
  });

  it("a file is called unreachable when code names another file with an equal name", async () => {
    const files = {
      "vite.config.ts": 'export default { input: "src/other/dead.ts" };',
      "src/other/dead.ts": USED,
    };
    expect(await unreachable(files)).toEqual(["src/dead.ts"]);
  });
});

it("files are not called unreachable in a folder where most files look unused", async () => {
  const jobs = { "src/jobs/a.ts": USED, "src/jobs/b.ts": USED, "src/jobs/c.ts": USED };
  const used = Object.fromEntries(
    ["d", "e", "f", "g"].map((name) => [`src/${name}.ts`, `export const ${name} = 1;`]),
  );
  const index = ["d", "e", "f", "g"].map((name) => `export * from "./${name}.ts";`).join("\n");
  expect(await unreachable({ ...jobs, ...used, "src/index.ts": index })).toEqual(["src/dead.ts"]);
});

it("no file is called unreachable in a documentation site, where documents use components", async () => {
  expect(await unreachable({ manifest: needs("@docusaurus/core") })).toEqual([]);
});
