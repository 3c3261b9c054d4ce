import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openCodeGraph } from "./index.ts";
import { git, temporaryTree } from "./testing/temporary-tree.ts";

const HERE = fileURLToPath(new URL(".", import.meta.url));
const LIBRARIES = join(HERE, "../../../../node_modules");
const COUNT = 400;
/** With only one core, no threads are started, so there are no messages from threads. */
const LEAST_MESSAGES = availableParallelism() > 1 ? 3 : 0;

const tree = Object.fromEntries(
  Array.from({ length: COUNT }, (_, at): [string, string] => [
    `f${at}.ts`,
    `import { run as next } from "./f${(at + 1) % COUNT}";\nexport function run() { next(); }\n`,
  ]),
);

/** Uses the bundled code, because a thread of Node 20 cannot load TypeScript. */
let built: string;

beforeAll(async () => {
  built = mkdtempSync(join(tmpdir(), "waybill-threads-"));
  writeFileSync(join(built, "package.json"), '{ "type": "module" }');
  symlinkSync(LIBRARIES, join(built, "node_modules"));
  const build = await rolldown({
    input: { build: join(HERE, "index.ts"), "thread-main": join(HERE, "workers/thread-main.ts") },
    platform: "node",
    external: /^(?!@waybill)[a-z@]/,
    resolve: { conditionNames: ["@waybill/source", "import", "node", "default"] },
    logLevel: "silent",
  });
  await build.write({ dir: built, format: "esm", chunkFileNames: "[name].js" });
  await build.close();
});

afterAll(() => rmSync(built, { recursive: true, force: true }));

/** Opens the graph in a separate process, after `before`. Also counts the messages from threads. */
function opened(root: string, before = ""): { symbols: number; uses: number; messages: number } {
  const program = `
    import { syncBuiltinESMExports } from "node:module";
    import threads, { Worker } from "node:worker_threads";
    import { openCodeGraph } from ${JSON.stringify(join(built, "build.js"))};
    let messages = 0;
    const { emit } = Worker.prototype;
    Worker.prototype.emit = function (name, ...rest) {
      if (name === "message") messages += 1;
      return emit.call(this, name, ...rest);
    };
    const root = ${JSON.stringify(root)};
    ${before}
    const open = await openCodeGraph({ root, cache: false });
    await open.ready;
    const { symbols, uses } = open.graph;
    console.log(JSON.stringify({ symbols: symbols.count, uses: uses.count, messages }));
  `;
  const main = join(temporaryTree({ "main.mjs": program }), "main.mjs");
  const output = execFileSync(process.execPath, [main], { encoding: "utf8" });
  return JSON.parse(output) as ReturnType<typeof opened>;
}

/**
 * Uses a git repository: its index shows the size of the tree early, so a thread is started in
 * advance.
 */
function repository(): string {
  const root = temporaryTree(tree);
  git(root, "init", "-q");
  git(root, "add", ".");
  return root;
}

it.each([
  ["", () => temporaryTree(tree)],
  [" in a repository", repository],
])(
  "a build of the code graph with threads reads the symbols that a build without threads reads%s",
  async (_, make) => {
    const root = make();
    const open = await openCodeGraph({ root, cache: false });
    await open.ready;
    const [symbols, uses] = [open.graph.symbols.count, open.graph.uses.count];
    expect(symbols).toBe(2 * COUNT);
    const { messages, ...counts } = opened(root);
    expect(counts).toEqual({ symbols, uses });
    expect(messages).toBeGreaterThanOrEqual(LEAST_MESSAGES);
  },
);

it.each([
  [
    "cannot be started",
    `threads.Worker = class { constructor() { throw new Error("no more threads"); } };
     syncBuiltinESMExports();`,
  ],
  ["end early", "Worker.prototype.postMessage = function () { this.terminate(); };"],
])("a build of the code graph reads all files if threads %s", (_, before) => {
  // Each file imports the next one and calls the imported function.
  const expected = { symbols: 2 * COUNT, uses: 2 * COUNT };
  for (const root of [temporaryTree(tree), repository()]) {
    expect(opened(root, before)).toMatchObject(expected);
  }
});

it("a build of the code graph does not wait for threads that an earlier cancelled build still holds", () => {
  const late = `
    for (let round = 0; round < 3; round++) {
      const stop = new AbortController();
      const onProgress = ({ done, total }) => { if (done === total) stop.abort(); };
      await openCodeGraph({ root, cache: false, signal: stop.signal, onProgress }).catch(() => 0);
    }
    messages = 0;
  `;
  expect(opened(temporaryTree(tree), late).messages).toBeGreaterThanOrEqual(LEAST_MESSAGES);
});
