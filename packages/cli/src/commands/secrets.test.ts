import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { openapiSource } from "@waybill/adapters/openapi";
import { createRedactor, createWaybill, memoryHandles } from "@waybill/core";
import type { Waybill } from "@waybill/core";
import { jsonlLog, openHistory, traceObserver } from "@waybill/state";
import { mcpSource } from "@waybill/mcp/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { main } from "../cli.ts";
import { ENCODINGS, SCHEMES, startEchoApi } from "../fixtures/echo-api.ts";
import type { EchoApi, SchemeName } from "../fixtures/echo-api.ts";
import { makeWorld } from "../fixtures/world.ts";
import type { World } from "../fixtures/world.ts";

const NAMES = Object.keys(SCHEMES) as SchemeName[];
const CASES = NAMES.flatMap((name) => Object.keys(ENCODINGS).map((each) => [name, each] as const));
const KINDS = ["good", "bad", "file"];

type Door = (scheme: SchemeName, encoding: string) => Promise<string>;

const undo: (() => Promise<unknown>)[] = [];
const doors: Record<string, Door> = {};
let world: World;
let api: EchoApi;

const envName = (name: SchemeName): string => `${name.toUpperCase()}_SECRET`;

function getSteps(scheme: SchemeName, encoding: string): object[] {
  return KINDS.map((kind) => ({
    capability_id: `echo.${scheme}-${kind}`,
    params: { encoding },
    options: { trace: true },
  }));
}

/** Runs `waybill serve http` in this process until the tests have ended. */
async function serveHttp(): Promise<{ url: string; token: string }> {
  const interruption = new AbortController();
  const stdout = new PassThrough({ encoding: "utf8" });
  const ended = main({
    argv: ["serve", "http"],
    stdin: new PassThrough(),
    stdout,
    stderr: new PassThrough(),
    env: world.env,
    cwd: world.project,
    isTTY: false,
    signal: interruption.signal,
  });
  undo.unshift(async () => {
    interruption.abort();
    await ended;
  });
  const said = await new Promise<string>((resolve) => stdout.once("data", resolve));
  return JSON.parse(said) as { url: string; token: string };
}

/**
 * Calls the API with one encoding, for real and as a dry run. A dry run sends nothing, so it gets
 * no answer.
 */
async function runCommand(scheme: SchemeName, encoding: string): Promise<string> {
  const words = ["run", `echo.${scheme}-good`, `encoding=${encoding}`, "--trace"];
  const ended = await Promise.all([
    world.run(words),
    world.run(["run", `echo.${scheme}-bad`, `encoding=${encoding}`]),
    world.run([...words, "--dry-run"]),
  ]);
  return ended.map(({ stdout, stderr }) => stdout + stderr).join("\n");
}

/**
 * Calls the API with every encoding in one command, because starting the command for each call
 * would be slow.
 */
async function chainCommand(scheme: SchemeName): Promise<string> {
  const steps = Object.keys(ENCODINGS).flatMap((encoding) =>
    KINDS.map((kind) => ({ task: `echo.${scheme}-${kind}`, input: { encoding } })),
  );
  const { stdout, stderr } = await world.run(["chain", "--steps", JSON.stringify(steps)]);
  const { results } = JSON.parse(stdout) as { results: object[] };
  const shown = results.filter((_, index) => KINDS[index % KINDS.length] !== "file");
  expect(shown).toHaveLength(2 * Object.keys(ENCODINGS).length);
  for (const each of shown) expect(JSON.stringify(each)).toContain("[redacted]");
  return stdout + stderr;
}

function httpDoor(url: string, token: string): Door {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  return async (scheme, encoding) => {
    const asked = getSteps(scheme, encoding).map((step) => {
      const { capability_id, ...others } = step as { capability_id: string };
      const request = { method: "POST", headers, body: JSON.stringify(others) };
      return fetch(`${url}/v1/execute/${capability_id}`, request);
    });
    const answers = await Promise.all(asked.map(async (each) => (await each).text()));
    const metrics = await fetch(`${url}/metrics`, { headers });
    return `${answers.join("\n")}\n${await metrics.text()}`;
  };
}

function mcpDoor(url: string, token: string): Door {
  const headers = { authorization: `Bearer ${token}` };
  const source = mcpSource({ name: "way", url: `${url}/mcp`, headers });
  const client = createWaybill({ sources: [source], policy: { confirm: "none" } });
  undo.unshift(() => client.close());
  return async (scheme, encoding) => {
    const steps = KINDS.map((kind) => ({ task: `echo.${scheme}-${kind}`, input: { encoding } }));
    return JSON.stringify(await client.execute("way.chain", { steps }));
  };
}

/**
 * Uses the library directly, with a log and spans, and without being told which strings are
 * secrets.
 */
function libraryDoor(): Door {
  const spans: unknown[] = [];
  const path = join(world.folder, "calls.jsonl");
  const log = jsonlLog({ path, redact: (value) => createRedactor().value(value) });
  const traced = traceObserver({
    startSpan: (...started) => {
      spans.push(started);
      const note = (...noted: unknown[]): void => void spans.push(noted);
      return { addEvent: note, setStatus: note, end: () => {} };
    },
  });
  const handles = memoryHandles();
  const credentials = Object.fromEntries(NAMES.map((name) => [name, SCHEMES[name].value]));
  const { description: document, url: server } = api;
  const source = openapiSource({
    name: "echo",
    document,
    server,
    credentials,
    allowPrivate: true,
    handles,
  });
  const waybill = createWaybill({
    sources: [source],
    handles,
    observer: {
      onCall: (record) => {
        log.onCall(record);
        traced.onCall?.(record);
        spans.push(record.envelope, record.error?.message, record.error?.cause, record.params);
      },
    },
  });
  undo.unshift(() => waybill.close());
  let seen = 0;
  return async (scheme, encoding) => {
    spans.length = 0;
    const told = await Promise.all(
      getSteps(scheme, encoding).map((step) => callAndRead(waybill, step)),
    );
    await log.flush();
    const logged = await readFile(path);
    const fresh = logged.toString("utf8", seen);
    seen = logged.length;
    return JSON.stringify([told, spans]) + fresh;
  };
}

/** Returns the answer, and also the content of a file that the call stored. */
async function callAndRead(waybill: Waybill, step: object): Promise<unknown> {
  const { capability_id, params } = step as { capability_id: string; params: object };
  const result = await waybill.execute(capability_id, params, { trace: true });
  const handle = (result.data as { handle?: string } | null)?.handle;
  const file = handle === undefined ? undefined : await waybill.execute("result.read", { handle });
  return [result, file];
}

/** The length of a substring that is long enough to be recognised, in characters. */
const WINDOW = 12;

/** Characters that encodings put around a secret. */
const AROUND = [
  "The credential  is not known. The credential ",
  "curl -H 'X-Key: ' https://api.example curl -H 'X-Key: ",
  "https://x:@api.example/ https://x:",
  Buffer.from("x".repeat(200)).toString("base64"),
  Buffer.from(`::${"x".repeat(200)}`).toString("base64"),
  Buffer.from(`:${"x".repeat(200)}`).toString("base64"),
];

/** An escaped line break (\n) may leave an "n" at the start of a part. */
function isAround(part: string): boolean {
  const plain = part.replaceAll("\n", "").replace(/^n/u, "");
  return AROUND.some((around) => around.includes(plain));
}

/**
 * Substrings of a secret, each half a window after the one before. So every leak of at least one
 * and a half windows contains one of them.
 */
function secretParts(text: string): string[] {
  const count = Math.max(1, Math.floor((text.length - WINDOW) / (WINDOW / 2)) + 1);
  const parts = Array.from({ length: count }, (_, index) => {
    const start = (index * WINDOW) / 2;
    return text.slice(start, start + WINDOW);
  });
  return parts.filter((part) => !isAround(part));
}

const unquoted = (text: string): string =>
  text.replaceAll(/\\(["\\n])/gu, (_, each: string) => (each === "n" ? "\n" : each));

/**
 * The parts of the upstream's answers that a text contains, even if they are JSON-quoted up to
 * three times.
 */
function leaks(text: string, told: readonly string[]): string[] {
  const once = unquoted(text);
  const twice = unquoted(once);
  const views = new Set([once, twice, unquoted(twice)]);
  const parts = new Set(told.flatMap(secretParts));
  const found = new Set<string>();
  for (const view of views) {
    for (let at = 0; at + WINDOW <= view.length; at++) {
      const part = view.slice(at, at + WINDOW);
      if (parts.has(part)) found.add(part);
    }
  }
  return [...found];
}

async function filesIn(folder: string): Promise<{ path: string; text: string }[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((each) => each.isFile())
    .map((each) => join(each.parentPath, each.name));
  return Promise.all(paths.map(async (path) => ({ path, text: await readFile(path, "latin1") })));
}

const cleanUp = (one: () => Promise<unknown>): void => void undo.push(one);

beforeAll(async () => {
  world = await makeWorld(cleanUp);
  api = await startEchoApi(cleanUp);
  await world.write("project/echo.json", api.description);
  for (const name of NAMES) world.env[envName(name)] = SCHEMES[name].value;
  const credentials = Object.fromEntries(NAMES.map((name) => [name, { env: envName(name) }]));
  const echo = { kind: "openapi", document: "echo.json", server: api.url, credentials };
  await world.writeConfig({
    sources: { echo: { ...echo, allow_private: true } },
    http: { limits: { per_second: 1_000, burst: 1_000 } },
  });
  await world.writeUserConfig({ history: "on" });
  const { url, token } = await serveHttp();
  doors["serve http"] = httpDoor(url, token);
  doors["serve mcp"] = mcpDoor(url, token);
  doors["library"] = libraryDoor();
});

afterAll(async () => {
  for (const each of undo) await each();
});

describe("a credential that an API repeats in its response", () => {
  it.each(CASES)(
    'a credential of the kind "%s" that an upstream repeats in the form "%s" is redacted in every answer',
    async (scheme, encoding) => {
      for (const [name, door] of Object.entries(doors)) {
        const answer = await door(scheme, encoding);
        const told = api.told.get(`${scheme} ${encoding}`) ?? [];
        expect(told).not.toEqual([]);
        expect([name, answer]).toEqual([name, expect.stringContaining("[redacted]")]);
        expect([name, leaks(answer, [...told, SCHEMES[scheme].value])]).toEqual([name, []]);
      }
    },
  );

  it.each(NAMES)(
    'a credential of the kind "%s" that an upstream repeats is redacted in what the command prints',
    async (scheme) => {
      const [encoding = ""] = Object.keys(ENCODINGS);
      const printed = await runCommand(scheme, encoding);
      expect(printed).toContain("[redacted]");
      const chained = await chainCommand(scheme);
      const told = Object.keys(ENCODINGS).flatMap(
        (each) => api.told.get(`${scheme} ${each}`) ?? [],
      );
      expect(leaks(printed + chained, [...told, SCHEMES[scheme].value])).toEqual([]);
    },
  );

  it("a credential that an upstream repeats is in no stored file", async () => {
    const history = openHistory({
      path: join(world.state, "history.db"),
      redact: (value) => value,
    });
    undo.unshift(() => history.close());
    expect((await history.calls()).calls).toHaveLength(100);
    const files = await filesIn(world.state);
    expect(files.map(({ path }) => path)).toContain(join(world.state, "history.db"));
    const told = [...api.told.values()].flat();
    for (const { path, text } of files) expect([path, leaks(text, told)]).toEqual([path, []]);
  });
});
