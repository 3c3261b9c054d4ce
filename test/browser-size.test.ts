import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { rolldown } from "rolldown";
import { afterAll, describe, expect, it } from "vitest";
import { root } from "../scripts/run.mjs";

const MAX_GZIP = 100_000;
const PROGRAM = `
  import { createWaybill, defineOperation } from "${join(root, "packages/core/src/index.ts")}";
  const hello = defineOperation({
    id: "hello.say",
    description: "Say hello",
    effect: "read",
    input: { type: "object", properties: { name: { type: "string" } } },
    handler: ({ name }) => "Hello " + name,
  });
  const waybill = createWaybill({ operations: [hello] });
  console.log((await waybill.execute("hello.say", { name: "Ada" })).data);
`;

const folder = mkdtempSync(join(tmpdir(), "waybill-browser-"));
const built = join(folder, "out");
const trace = join(folder, "trace");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function build(): Promise<void> {
  const input = join(folder, "hello.mjs");
  writeFileSync(input, PROGRAM);
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  const bundle = await rolldown({ input, platform: "browser", logLevel: "silent" });
  await bundle.write({ dir: built, minify: true });
  await bundle.close();
}

/** The files of the program that V8 loaded, including those that were imported on demand. */
function loadedFiles(): string[] {
  const [name = ""] = readdirSync(trace);
  const { result } = JSON.parse(readFileSync(join(trace, name), "utf8")) as {
    readonly result: readonly { readonly url: string }[];
  };
  const files = result.filter(({ url }) => url.startsWith("file:")).map(({ url }) => url);
  return files.map((url) => fileURLToPath(url));
}

describe("browser bundle", () => {
  it(`a browser loads at most ${MAX_GZIP / 1_000} KB of compressed code for one checked local call`, async () => {
    await build();
    const env = { ...process.env, NODE_V8_COVERAGE: trace };
    const { stdout } = await promisify(execFile)(process.execPath, [join(built, "hello.js")], {
      env,
    });
    expect(stdout).toBe("Hello Ada\n");
    const sizes = loadedFiles().map((file) => gzipSync(readFileSync(file), { level: 9 }).length);
    expect(sizes.length).toBeGreaterThan(1);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(MAX_GZIP);
  });
});
