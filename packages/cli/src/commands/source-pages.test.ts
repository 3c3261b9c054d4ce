import { spawn } from "node:child_process";
import { chmod, mkdtemp, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { freePort } from "../../../../test/support/free-port.ts";
import { codeBlocks } from "../../../../test/support/markdown.ts";
import { MAIN } from "../fixtures/program.ts";

const root = fileURLToPath(new URL("../../../../", import.meta.url));

/** A new folder with a `waybill` command, where npx finds packages without a network. */
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

/**
 * A `bash` block of a page. `sh` blocks are not run, because they contain commands for this
 * repository.
 */
async function readStory(page: string, index: number): Promise<string> {
  const text = await readFile(join(root, "docs", page), "utf8");
  return codeBlocks(text).filter(({ language }) => language === "bash")[index]!.code;
}

/**
 * Runs the commands of a page in one process group, so that servers they start can be stopped with
 * them.
 */
async function runStory(story: string): Promise<string> {
  const options = { ...(await newFolder()), detached: true };
  const child = spawn("bash", ["-e", "-c", story], {
    ...options,
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => endGroup(child.pid!));
  const ended = once(child, "exit");
  let printed = "";
  child.stdout.on("data", (text: Buffer) => (printed += text.toString()));
  child.stderr.on("data", (text: Buffer) => (printed += text.toString()));
  const [code] = (await ended) as [number | null];
  expect([code, printed]).toEqual([0, printed]);
  return printed;
}

function endGroup(group: number): void {
  try {
    process.kill(-group, "SIGKILL");
  } catch {
    // All processes of the group have ended already.
  }
}

it.each([
  ["guides/openapi.md", 0, "https://api.example.com/v1/orders/7"],
  ["guides/mcp.md", 0, "The sum of 2 and 3 is 5"],
  ["guides/mcp.md", 1, "The sum of 2 and 3 is 5"],
  ["guides/graphql.md", 0, "stars"],
  ["guides/commands.md", 0, "First commit"],
  ["guides/cards.md", 0, "https://api.example.com/v1/orders/7"],
])(
  "docs/%s: the shell example with index %i succeeds when it is pasted into a shell",
  async (...row) => {
    const [page, index, shown] = row;
    const story = (await readStory(page, index)).replaceAll("3001", String(await freePort()));
    expect(await runStory(story)).toContain(shown);
  },
);
