import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startGithubEmulator } from "@waybill/github/emulator";
import type { GithubEmulator } from "@waybill/github/emulator";
import { describe, expect, it, onTestFinished } from "vitest";
import { parse } from "yaml";
import { makeWorld } from "../fixtures/world.ts";

interface Guess {
  readonly wish: string;
  /** The words after `waybill run`. */
  readonly call: string;
  /** A string that the answer must contain. */
  readonly shows: string;
  /** A write that the server must have received exactly once. */
  readonly applies?: string;
  /** The second call, which follows the advice in the error of the first. */
  readonly then?: string;
}

const FILE = new URL("../fixtures/github-guesses.yaml", import.meta.url);
const GUESSES = parse(readFileSync(FILE, "utf8")) as Guess[];

/** Splits a command into words like a shell. Part of a word may be quoted. */
function words(command: string): string[] {
  const all = command.matchAll(
    /(?:"[^"]*"(?=[\s]|$)|=\{.*\}(?=\s|$)|=\[.*\](?=\s|$)|[^\s"]|"[^"]*")+/gu,
  );
  return [...all].map(([word]) => (/[[{]/u.test(word) ? word : word.replaceAll('"', "")));
}

async function send(github: GithubEmulator, method: string, path: string, body?: object) {
  const response = await fetch(`${github.url}/repos/octo/hello/${path}`, {
    method,
    headers: { authorization: "token waybill-octocat" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return (await response.json()) as Record<string, { sha: string }>;
}

async function open() {
  const world = await makeWorld(onTestFinished);
  const github = await startGithubEmulator();
  onTestFinished(() => github.close());
  await writeFile(join(world.project, "notes.txt"), "Notes\n");
  const { object: next } = await send(github, "GET", "git/ref/heads/feature/locale");
  const { object: main } = await send(github, "GET", "git/ref/heads/main");
  await send(github, "POST", "git/refs", { ref: "refs/heads/feature/next", sha: next!.sha });
  const before = github.applied();
  const env = { ...world.env, WAYBILL_GITHUB: github.env };
  const run = async (call: string) => {
    const filled = call.replaceAll("<red run>", "1002").replaceAll("<main>", main!.sha);
    return world.run(["run", ...words(filled)], { env });
  };
  const count = (name: string) => (github.applied()[name] ?? 0) - (before[name] ?? 0);
  return { run, count };
}

type Opened = Awaited<ReturnType<typeof open>>;

/** Undefined if the call did what the caller wanted; otherwise the printed answer. */
async function tryCall({ run, count }: Opened, { shows, applies }: Guess, call: string) {
  const { code, stdout } = await run(call);
  const isRight = code === 0 && stdout.includes(shows);
  return isRight && (applies === undefined || count(applies) === 1) ? undefined : stdout;
}

describe("first guesses of GitHub calls", () => {
  const missed: string[] = [];

  it.each(GUESSES.map((guess) => [guess.call, guess] as const))(
    "a GitHub call as an agent first guesses it succeeds, or its error names the right inputs: %s",
    async (_call, guess) => {
      const opened = await open();
      const said = await tryCall(opened, guess, guess.call);
      if (said === undefined) return;
      missed.push(guess.call);
      expect(guess.then === undefined ? said : "").toBe("");
      const wrote = new Set(words(guess.call).map((word) => word.split("=")[0]!.replace("--", "")));
      const fresh = words(guess.then!).map((word) => word.split("=")[0]!);
      // Names in the second call must come from the error, except those that the caller already
      // used.
      const isOwn = (one: string): boolean => wrote.has(one) || /^[\w.-]+\/[\w.-]+#\d+$/u.test(one);
      for (const name of fresh.filter((one) => !isOwn(one))) expect(said).toContain(name);
      expect(await tryCall(opened, guess, guess.then!)).toBeUndefined();
    },
  );

  it("at least 85 % of the GitHub calls that agents guess succeed at once", () => {
    expect(missed.length > GUESSES.length * 0.15 ? missed : []).toEqual([]);
  });
});
