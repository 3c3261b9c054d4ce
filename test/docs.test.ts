import { execFile } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { root } from "../scripts/run.mjs";
import { curlsIn, nodeCommands, shellCommands, snippetsIn } from "./support/markdown.ts";
import type { Snippet } from "./support/markdown.ts";
import { describeWithProgram } from "./support/programs.ts";
import { serveShop } from "./support/shop-server.ts";
import { readOutput, withPlaceholders } from "./support/shown-output.ts";
import { runSnippets } from "./support/snippets.ts";
import type { Printed } from "./support/snippets.ts";

const pages = [
  ...readdirSync(root).filter((name) => name.endsWith(".md")),
  ...readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
];

const read = (page: string): string => readFileSync(join(root, page), "utf8");

async function runNode(args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root });
  return stdout.trim();
}

async function runShell(code: string, env: Record<string, string>): Promise<string> {
  const all = { ...process.env, ...env };
  const { stdout } = await promisify(execFile)("sh", ["-c", code], { env: all });
  return stdout.trim();
}

const scripts = Object.keys(
  (JSON.parse(read("package.json")) as { scripts: Record<string, string> }).scripts,
);

/** The npm script that a command runs, or undefined for anything else. */
function findScript(command: string): string | undefined {
  const words = command.split(/\s+/);
  if (words[0] !== "npm") return undefined;
  return words[1] === "run" ? words[2] : words[1];
}

/**
 * If a block shows a program's output, it must show all of it. Without such a block, the program
 * must print nothing.
 */
function expectShown(printed: string, { output }: Snippet): void {
  const shown = readOutput(output?.code ?? "", output?.language);
  const seen = readOutput(printed, output?.language);
  expect(withPlaceholders(seen, shown)).toEqual(shown);
}

const snippets = pages.flatMap((page) => snippetsIn(read(page)).map((found) => ({ page, found })));
let results: readonly Printed[];
beforeAll(async () => {
  results = await runSnippets(snippets.map(({ found }) => found.code));
});

it.each(snippets.map(({ page, found }, index) => ({ page, found, index, line: found.line })))(
  "the code on $page (line $line) prints what the page shows",
  ({ found, index }) => {
    const { printed, failure } = results[index]!;
    expect(failure).toBeUndefined();
    expectShown(printed, found);
  },
);

describe.each(pages)("%s", (page) => {
  const text = read(page);

  it.each(nodeCommands(text))("the docs name a command that runs: node %s", async (command) => {
    expect(await runNode(command.split(/\s+/))).toMatchSnapshot();
  });

  it("the docs name only npm scripts that exist", () => {
    const wrong = shellCommands(text).filter(
      (command) => !scripts.includes(findScript(command) ?? ""),
    );
    expect(wrong).toEqual([]);
  });
});

const requests = pages.flatMap((page) => curlsIn(read(page)).map((found) => ({ page, ...found })));

describeWithProgram("curl", () => {
  it.each(requests)(
    "the request on $page (line $line) gets the response that the page shows",
    async (request) => {
      const answer = await runShell(request.code, await serveShop(onTestFinished));
      expect(answer).not.toBe("");
      expectShown(answer, request);
    },
  );
});
