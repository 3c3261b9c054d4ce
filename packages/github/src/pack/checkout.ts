import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { runProgram } from "@waybill/adapters/command";
import { readRemote } from "./remote.ts";
import type { CheckoutRepository } from "./remote.ts";

const QUESTION_MS = 10_000;
/** The order of remotes, as in `gh`: for a fork, the original repository comes first. */
const PREFERRED = ["upstream", "github", "origin"];

function rank(remote: string): number {
  const place = PREFERRED.indexOf(remote);
  return place === -1 ? PREFERRED.length : place;
}

/** Parses lines such as `origin	git@github.com:octo/hello.git (fetch)`. */
function readRemotes(text: string): { remote: string; url: string }[] {
  return text
    .split("\n")
    .map((line) => /^(\S+)\t(\S+) \(fetch\)/.exec(line))
    .filter((match) => match !== null)
    .map(([, remote = "", url = ""]) => ({ remote, url }))
    .toSorted((a, b) => rank(a.remote) - rank(b.remote));
}

/**
 * Whether git would find a repository. This looks for the `.git` folder, because starting git is
 * much slower.
 */
function isInRepository(folder: string): boolean {
  const isBare = (): boolean => ["HEAD", "objects"].every((name) => existsSync(join(folder, name)));
  if (existsSync(join(folder, ".git")) || isBare()) return true;
  const parent = dirname(folder);
  return parent !== folder && isInRepository(parent);
}

/**
 * The repository of the checkout in a folder. It is read again for each call, so that writes never
 * go to the address of a remote that has changed.
 */
export async function checkoutRepository(
  cwd: string,
  host: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<CheckoutRepository | undefined> {
  if (!isInRepository(resolve(cwd))) return undefined;
  const deadline = Date.now() + QUESTION_MS;
  const asked = { program: "git", argv: ["remote", "-v"], cwd, env: gitEnvironment(env), deadline };
  const result = await runProgram(asked).catch(() => undefined);
  if (result?.exitCode !== 0) return undefined;
  return readRemotes(Buffer.from(result.stdout).toString("utf8"))
    .map(({ url }) => readRemote(url))
    .find((repository) => repository?.host === host);
}

function gitEnvironment(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const { PATH = "", HOME = "" } = env;
  return { PATH, HOME, GIT_TERMINAL_PROMPT: "0", LC_ALL: "C" };
}
