import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import {
  curlsIn,
  localLinks,
  nodeCommands,
  shellCommands,
  snippetsIn,
} from "./support/markdown.ts";
import { describeWithProgram } from "./support/programs.ts";
import { serveShop } from "./support/shop-server.ts";

const root = join(import.meta.dirname, "..");
const scratch = join(root, "node_modules/.cache/waybill/snippets");
const pages = [
  ...readdirSync(root).filter((name) => name.endsWith(".md")),
  ...readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
];

const read = (page: string): string => readFileSync(join(root, page), "utf8");

/** Runs a snippet as its own program, as a reader would. */
async function run(code: string, name: string): Promise<string> {
  mkdirSync(scratch, { recursive: true });
  const file = join(scratch, `${name.replaceAll(/\W+/g, "-")}.mts`);
  writeFileSync(file, code);
  return runNode(["-C", "@waybill/source", "--import", "tsx", file]);
}

async function runNode(args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    cwd: root,
    timeout: 30_000,
  });
  return stdout.trim();
}

async function runShell(code: string, env: Record<string, string>): Promise<string> {
  const all = { ...process.env, ...env };
  const { stdout } = await promisify(execFile)("sh", ["-c", code], { env: all, timeout: 30_000 });
  return stdout.trim();
}

const scripts = Object.keys(
  (JSON.parse(read("package.json")) as { scripts: Record<string, string> }).scripts,
);

/** The npm script that a command runs, or undefined for anything else. */
function scriptOf(command: string): string | undefined {
  const words = command.split(/\s+/);
  if (words[0] !== "npm") return undefined;
  return words[1] === "run" ? words[2] : words[1];
}

function asShown(printed: string, language: string | undefined): unknown {
  return language === "json" ? JSON.parse(printed) : printed.trim();
}

afterAll(() => rmSync(scratch, { recursive: true, force: true }));

describe.each(pages)("%s", (page) => {
  const text = read(page);

  it.each(snippetsIn(text))("runs as it says (line $line)", async ({ code, line, output }) => {
    const printed = await run(code, `${page}-${line}`);
    const shown = output?.code ?? printed;
    expect(asShown(printed, output?.language)).toEqual(asShown(shown, output?.language));
  });

  it.each(nodeCommands(text))("names a command that runs: node %s", async (command) => {
    expect(await runNode(command.split(/\s+/))).not.toBe("");
  });

  it("names only commands that exist", () => {
    const wrong = shellCommands(text).filter(
      (command) => !scripts.includes(scriptOf(command) ?? ""),
    );
    expect(wrong).toEqual([]);
  });

  it("links only to what is there", () => {
    const broken = localLinks(text).filter((link) => !existsSync(join(root, page, "..", link)));
    expect(broken).toEqual([]);
  });
});

const requests = pages.flatMap((page) => curlsIn(read(page)).map((found) => ({ page, ...found })));

describeWithProgram("curl", () => {
  it.each(requests)("$page is answered as it says (line $line)", async ({ code, output }) => {
    const answer = await runShell(code, await serveShop(onTestFinished));
    const shown = output?.code ?? answer;
    expect(asShown(answer, output?.language)).toEqual(asShown(shown, output?.language));
    expect(answer).not.toBe("");
  });
});
