import { execFile } from "node:child_process";
import { chmod, mkdtemp, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import { codeBlocks } from "../../../../test/support/markdown.ts";
import { MAIN } from "../fixtures/program.ts";

const root = fileURLToPath(new URL("../../../../", import.meta.url));
const run = promisify(execFile);

/** A new folder where `waybill` is a command, and where npx finds packages without a network. */
async function newFolder() {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "waybill-story-")));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const program = join(folder, "waybill");
  await writeFile(program, `#!/bin/sh\nexec "${process.execPath}" "${MAIN}" "$@"\n`);
  await chmod(program, 0o755);
  await symlink(join(root, "node_modules"), join(folder, "node_modules"));
  const PATH = [folder, process.env["PATH"]].join(delimiter);
  return { cwd: folder, env: { PATH, HOME: folder, WAYBILL_KEYRING: "off", WAYBILL_UP: "off" } };
}

/** The first `bash` block of a page. Blocks that are `sh` only name commands of this repository. */
async function readStory(page: string): Promise<string> {
  const text = await readFile(join(root, "docs", page), "utf8");
  return codeBlocks(text).find(({ language }) => language === "bash")!.code;
}

it.each([
  ["guides/openapi.md", "https://api.example.com/v1/orders/7"],
  ["guides/mcp.md", "The sum of 2 and 3 is 5"],
  ["guides/graphql.md", "stars"],
  ["guides/commands.md", "First commit"],
  ["guides/cards.md", "https://api.example.com/v1/orders/7"],
])(
  "the first shell example of docs/%s works when it is pasted into a shell",
  async (page, shown) => {
    const { stdout } = await run("bash", ["-e", "-c", await readStory(page)], await newFolder());
    expect(stdout).toContain(shown);
  },
);
