import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { githubAnchor } from "../docs/.vitepress/anchors.ts";
import { findCommand, getGroup } from "../packages/cli/src/words/find-command.ts";
import { parseWords, wantsHelp } from "../packages/cli/src/words/parse-words.ts";
import { shellWords } from "../packages/cli/src/fixtures/shell-words.ts";
import { root } from "../scripts/run.mjs";
import { codeBlocks } from "./support/markdown.ts";

const pages = execFileSync("git", ["ls-files", "--", "*.md"], { cwd: root, encoding: "utf8" })
  .split("\n")
  .filter((page) => /^(?:docs|packages|examples|benchmarks)\/|^[A-Z]+\.md$/.test(page))
  .filter((page) => !page.includes("/fixtures/") && existsSync(join(root, page)));

const read = (page: string): string => readFileSync(join(root, page), "utf8");

function withoutCode(text: string): string {
  return text.replaceAll(/^```[^]*?^```$/gm, "");
}

function headings(page: string): string[] {
  const found = withoutCode(read(page)).matchAll(/^#{1,6} (.+)$/gm);
  return [...found].map(([, heading]) => heading!.replaceAll(/`|\[|\]\([^)]*\)/g, ""));
}

/** The problem of a link; undefined if the link works. */
function linkProblem(page: string, link: string): string | undefined {
  const [path = "", anchor] = link.split("#");
  const target = path === "" ? page : join(dirname(page), path);
  if (!existsSync(join(root, target))) return `${link}: there is no such file`;
  if (anchor === undefined || !target.endsWith(".md")) return undefined;
  const isFound = headings(target).some((heading) => githubAnchor(heading) === anchor);
  return isFound ? undefined : `${link}: there is no such heading`;
}

/** The commands of `waybill` on a page, in blocks of code and between backticks. */
function commands(text: string): string[] {
  const blocks = codeBlocks(text).flatMap(({ code }) => code.split("\n"));
  const inline = withoutCode(text).matchAll(/`((?:npx )?waybill [a-z][^`\n]*)`/g);
  return [...blocks, ...[...inline].map(([, command]) => command!)].flatMap((line) => {
    const command = /^(?:npx )?waybill ([a-z].*)$/.exec(line)?.[1];
    return command === undefined ? [] : [command.split(" < ")[0]!];
  });
}

async function commandProblem(command: string): Promise<string | undefined> {
  try {
    if (getGroup(command).length > 0) return undefined;
    const found = await findCommand(shellWords(command));
    if (!wantsHelp(found.rest)) await parseWords(found.command, found.rest);
    return undefined;
  } catch (error) {
    return `waybill ${command}: ${(error as Error).message}`;
  }
}

describe.each(pages)("%s", (page) => {
  it("the docs link only to files and headings that exist", () => {
    const links = [...withoutCode(read(page)).matchAll(/\]\(([^)\s]+)\)/g)].map(
      ([, link]) => link!,
    );
    const local = links.filter((link) => !/^[a-z]+:/.test(link));
    expect(local.flatMap((link) => linkProblem(page, link) ?? [])).toEqual([]);
  });

  it("the docs show only commands and options of waybill that exist", async () => {
    const problems = await Promise.all(commands(read(page)).map(commandProblem));
    expect(problems.filter((problem) => problem !== undefined)).toEqual([]);
  });
});
