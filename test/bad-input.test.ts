// Invalid input must not break anything that users have: a folder of cards, a Waybill, a program, a
// server.
import { createServer } from "node:http";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadCards } from "@waybill/adapters/cards";
import { ghRoute } from "@waybill/adapters/command";
import { createHttpTransport, restRoute } from "@waybill/adapters/http";
import { createWaybill } from "@waybill/core";
import { cardOperation, formatProblem } from "@waybill/core/cards";
import type { Waybill } from "@waybill/core";
import type { CardRoute, FactSource } from "@waybill/core/cards";
import { describe, expect, it, onTestFinished } from "vitest";

const HEAD = `version: "1.0.0"
description: Does something with a note
input_schema: { type: object, properties: { words: { type: string }, value: {} } }
output_schema: { type: object, properties: { words: { type: string }, size: { type: integer } } }
`;
const CARDS: Readonly<Record<string, string>> = {
  "view.yaml": `capability_id: note.view
effect: read
${HEAD}routing: { preferred: rest, fallbacks: [] }
rest: { method: GET, path: /notes, query: { words: words }, output: { words: words, size: size } }
`,
  "write.yaml": `capability_id: note.write
effect: write
${HEAD}routing: { preferred: rest, fallbacks: [cli] }
rest: { method: POST, path: /notes, body: { words: words, value: value }, output: { words: words, size: size } }
cli: { use: rest }
`,
  "print.yaml": `capability_id: note.print
effect: read
${HEAD}routing: { preferred: cli, fallbacks: [] }
cli: { command: note view, flags: { words: words }, jsonFields: [words], output: { words: words } }
`,
  "make.yaml": `capability_id: note.make
effect: write
${HEAD}routing: { preferred: cli, fallbacks: [] }
cli: { command: note create, flags: { words: words }, stdin: value, jsonFields: [words], output: { words: words } }
`,
};

async function makeFolder(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "waybill-bad-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return folder;
}

/** A fake `gh` that runs these lines of shell script for every command. */
async function readProgram(script: string): Promise<string> {
  const path = join(await makeFolder({}), "gh");
  await writeFile(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return path;
}

async function waybillOver(routes: readonly CardRoute[]): Promise<Waybill> {
  const { cards, problems } = await loadCards(await makeFolder(CARDS));
  expect(problems).toEqual([]);
  return createWaybill({
    operations: cards.map((card) => cardOperation(card, { routes })),
    retry: { maxAttempts: 1 },
  });
}

const signedIn: FactSource = { facts: async () => ({}), forget: () => {} };

async function waybillWithProgram(script: string): Promise<Waybill> {
  const program = await readProgram(script);
  return waybillOver([ghRoute({ program, env: { PATH: process.env["PATH"] }, facts: signedIn })]);
}

/** A server that returns the number of bytes it received, and counts its requests. */
async function waybillWithServer(): Promise<{ waybill: Waybill; asked: string[] }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.method ?? "");
    let size = 0;
    request.on("data", (chunk: Uint8Array) => (size += chunk.length));
    request.on("end", () => {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ words: "got", size }));
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const transport = createHttpTransport();
  onTestFinished(() => {
    transport.close();
    server.closeAllConnections();
    server.close();
  });
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const routes = [restRoute({ baseUrl, transport, userAgent: "waybill-test" })];
  return { waybill: await waybillOver(routes), asked };
}

describe("invalid cards", () => {
  const card = CARDS["write.yaml"]!;

  it.each([
    ["with malformed YAML", "capability_id: [note", /^bad\.yaml:\d+ /],
    ["that is not an object", "just text", /^bad\.yaml:1 must be object/],
    [
      "without a required field",
      card.replace(/^output_schema:.*\n/mu, ""),
      /output_schema: is required/,
    ],
    [
      "with an unknown route",
      card.replace("preferred: rest", "preferred: soap"),
      /^bad\.yaml:7 routing\.preferred: must be one of the allowed values: graphql, rest, cli$/,
    ],
    [
      "with a predicate that does not parse",
      card.replace(
        "fallbacks: [cli]",
        'fallbacks: [cli], suitability: [{ route: cli, predicate: "params.words ==", reason: x }]',
      ),
      /^bad\.yaml:7 routing\.suitability\.0\.predicate: "params\.words ==" is not a valid expression/,
    ],
    [
      "with steps that refer to each other",
      `capability_id: note.both
effect: write
${HEAD}output: {}
steps:
  - { id: a, task: note.write, input: { words: { $from: b.data.words } } }
  - { id: b, task: note.write, input: { words: { $from: a.data.words } } }
`,
      /^bad\.yaml:9 steps: Step \w depends on itself/,
    ],
  ])(
    "the error in a card %s names its place, and the other cards are loaded",
    async (_why, text, message) => {
      const folder = await makeFolder({ "bad.yaml": text, "good.yaml": CARDS["view.yaml"]! });
      const { cards, problems } = await loadCards(folder);
      expect(cards.map(({ id }) => id)).toEqual(["note.view"]);
      expect(problems.map(formatProblem)).toContainEqual(expect.stringMatching(message));
    },
  );
});

const writing = (id: string, words: unknown) => ({ id, task: "note.write", input: { words } });

describe("invalid chains", () => {
  it("a chain with circular references sends nothing", async () => {
    const { waybill, asked } = await waybillWithServer();
    const { status, error, results } = await waybill.chain([
      writing("a", { $from: "b.data.words" }),
      writing("b", { $from: "a.data.words" }),
    ]);
    expect([status, error?.code, results, asked]).toEqual(["failed", "VALIDATION", [], []]);
  });

  it("a chain of 101 steps sends nothing", async () => {
    const { waybill, asked } = await waybillWithServer();
    const steps = Array.from({ length: 101 }, (_, n) => writing(`s${n}`, "x"));
    const { error } = await waybill.chain(steps);
    expect(error).toMatchObject({
      code: "VALIDATION",
      message: "A chain has at most 100 steps, this one has 101. Split it into several chains",
    });
    expect(asked).toEqual([]);
  });

  it("a chain with on_error: continue runs its remaining steps after failed and missing references", async () => {
    const { waybill, asked } = await waybillWithServer();
    const steps = [
      writing("bad", 7),
      writing("after", { $from: "bad.data.words" }),
      writing("lost", { $from: "nowhere.data.words" }),
      writing("good", "x"),
    ];
    const { status, results } = await waybill.chain(steps, { on_error: "continue" });
    expect(status).toBe("partial");
    expect(results.map(({ error }) => [error?.code, error?.details?.["outcome"]])).toEqual([
      ["VALIDATION", "not_applied"],
      ["CANCELLED", "not_applied"],
      ["VALIDATION", "not_applied"],
      [undefined, undefined],
    ]);
    expect(results[2]!.error?.message).toContain("There is no step called nowhere");
    expect(asked).toEqual(["POST"]);
  });

  it("a $literal value that looks like a reference is sent unchanged", async () => {
    const { waybill } = await waybillWithServer();
    const value = { $from: "no.such" };
    const quoted = { task: "note.write", input: { words: "x", value: { $literal: value } } };
    const { results } = await waybill.chain([quoted], { dry_run: true });
    expect(results[0]!.data).toMatchObject({ requests: [{ body: { words: "x", value } }] });
    expect((await waybill.chain([quoted])).status).toBe("success");
  });
});

describe("input of 10 MB", () => {
  const text = "x".repeat(10_000_000);

  it("10 MB of text are sent in a request body", async () => {
    const { waybill } = await waybillWithServer();
    const { data } = await waybill.execute("note.write", { words: text });
    expect(data).toEqual({ words: "got", size: text.length + '{"words":""}'.length });
  });

  it("10 MB of text are sent to a program's standard input", async () => {
    const waybill = await waybillWithProgram(`printf '{"words":"%s"}' "$(wc -c | tr -d ' ')"`);
    const { data } = await waybill.execute("note.make", { value: text });
    expect(data).toEqual({ words: String(text.length) });
  });

  it.each([
    ["an address", "note.view", waybillWithServer],
    [
      "a command line",
      "note.make",
      async () => ({ waybill: await waybillWithProgram("exit 0"), asked: [] }),
    ],
  ])("a large string in %s returns TOO_LARGE and sends nothing", async (_where, id, open) => {
    const { waybill, asked } = await open();
    const { error } = await waybill.execute(id, { words: text });
    // Also compares the message, so that a report shows if the failure is another one.
    const message = expect.not.stringMatching(/could not be started|Unexpected/u) as unknown;
    expect(error).toMatchObject({ code: "TOO_LARGE", message, retryable: false });
    expect(error?.message.length).toBeLessThan(2_000);
    expect(JSON.stringify(error).length).toBeLessThan(10_000);
    expect(asked).toEqual([]);
  });
});

describe("invalid output of gh", () => {
  it.each([
    [
      "HTML",
      "echo '<html>Unicorn!</html>'",
      "gh printed something that is not valid JSON; check it with: waybill doctor",
    ],
    [
      "truncated JSON",
      `printf '{"words": "a'`,
      "gh printed something that is not valid JSON; check it with: waybill doctor",
    ],
    ["nothing", "exit 0", "gh printed nothing; check it with: waybill doctor"],
  ])(
    "a gh that prints %s returns SERVER, and an unknown outcome for a write",
    async (_what, script, message) => {
      const waybill = await waybillWithProgram(script);
      const read = await waybill.execute("note.print");
      expect(read.error).toMatchObject({ code: "SERVER", message });
      const written = await waybill.execute("note.make", { words: "x" });
      expect(written.error).toMatchObject({
        code: "SERVER",
        retryable: false,
        details: { outcome: "unknown" },
      });
    },
  );

  it("a gh that prints 200 MB returns TOO_LARGE", async () => {
    const waybill = await waybillWithProgram("head -c 200000000 /dev/zero");
    const { error } = await waybill.execute("note.print");
    expect(error).toMatchObject({ code: "TOO_LARGE", retryable: false });
  });
});
