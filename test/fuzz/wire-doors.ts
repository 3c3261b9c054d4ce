import { createInterface } from "node:readline";
import { PassThrough, Writable } from "node:stream";
import { createCodeRunner } from "@waybill/code";
import { serveMcpStdio } from "@waybill/mcp/server";
import { array, constant, constantFrom, oneof, record, tuple } from "fast-check";
import type { Arbitrary } from "fast-check";
import { main } from "waybill";
import { envelopeProblem } from "./envelopes.ts";
import { through } from "./through.ts";
import type { Door } from "./through.ts";
import { nearlyTyped, oddJson, oddOptions, oddSteps, oddText, values } from "./values.ts";
import { fuzzedWaybill } from "./waybill.ts";

const HELLO = {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "fuzz", version: "1" },
};

/** Arguments of the tools, and anything else. */
const toolArguments = oneof(
  record({
    capability_id: constantFrom("value.any", "value.typed", "value.write"),
    params: oneof(oddJson, nearlyTyped),
    options: oddOptions,
  }),
  record({ capability_id: oddText, params: oddJson, options: oddOptions }),
  record({ steps: oddSteps }),
  oddJson,
);
const messages: Arbitrary<{ readonly method?: unknown; readonly params?: unknown }> = record(
  {
    method: oneof(
      constant("tools/call"),
      constantFrom("tools/list", "ping", "resources/read", "prompts/get", "completion/complete"),
      constantFrom("logging/setLevel", "server/discover", "tasks/get", "initialize"),
      oddJson,
    ),
    params: oneof(
      record({
        name: oneof(constantFrom("execute", "chain", "explain", "list_capabilities"), oddText),
        arguments: toolArguments,
      }),
      oddJson,
    ),
    result: oddJson,
    jsonrpc: oneof(constant("2.0"), oddJson),
  },
  { requiredKeys: ["method", "params"] },
);
/** A line whose id the client chooses, and a line with random content. */
const lines = oneof(
  { weight: 4, arbitrary: messages.map((message) => ({ message })) },
  { weight: 1, arbitrary: oneof(oddText, oddJson, array(messages)).map((line) => ({ line })) },
);

/** A server on streams, and a client that adds its own ids. */
class LineServer {
  readonly #stdin = new PassThrough();
  readonly #stdout = new PassThrough();
  readonly #waiting = new Map<unknown, () => void>();
  readonly #server: ReturnType<typeof serveMcpStdio>;
  #lastId = 0;

  constructor() {
    const [stdin, stdout] = [this.#stdin, this.#stdout];
    this.#server = serveMcpStdio({ waybill: fuzzedWaybill(), version: "0", stdin, stdout });
    createInterface(stdout).on("line", (line) => {
      const message = JSON.parse(line) as { id?: unknown; method?: unknown };
      if (message.method === undefined) this.#waiting.get(message.id)?.();
    });
  }

  write(line: string): void {
    this.#stdin.write(`${line}\n`);
  }

  /** Resolves with the answer to the id that the message gets. */
  ask(message: object): Promise<void> {
    const id = (this.#lastId += 1);
    const answered = new Promise<void>((resolve) => {
      this.#waiting.set(id, () => {
        this.#waiting.delete(id);
        resolve();
      });
    });
    this.write(JSON.stringify({ jsonrpc: "2.0", ...message, id }));
    return answered;
  }

  close(): Promise<void> {
    return this.#server.close();
  }
}

/** The server does not answer responses, or messages that look like responses. */
function isAnswered(message: object): boolean {
  return !("result" in message) || "method" in message;
}

/**
 * Checks that every request gets an answer with its id, and that the server still answers after any
 * line.
 */
export const mcp: Door = async (count, seed) => {
  const server = new LineServer();
  await server.ask({ method: "initialize", params: HELLO });
  const violations = await through(values(lines, count, seed), async (given) => {
    if ("message" in given && isAnswered(given.message)) await server.ask(given.message);
    else if ("line" in given)
      server.write(
        typeof given.line === "string"
          ? given.line.replaceAll(/[\r\n]/g, " ")
          : JSON.stringify(given.line),
      );
    await server.ask({ method: "ping" });
  });
  await server.close();
  return violations;
};

const STATEMENTS = [
  "return 1",
  "await value.any(input)",
  "return await value.typed({ id: 1 })",
  "await value.write(input)",
  "throw input",
  "throw null",
  "return await Promise.all([value.any(1), value.any(input)])",
  "console.log(input)",
  "for (const part of input) console.log(part)",
  "return input.a.b",
  "return waybill.search(String(input))",
  "return waybill.call(input)",
  "const x: number = input as number",
  "return globalThis",
  "return () => input",
  "return 10n",
  "input.self = input; return input",
  "return value.any.result(input)",
];
const programs = oneof(
  array(constantFrom(...STATEMENTS), { maxLength: 4 }).map((all) => all.join(";\n")),
  oddText,
);

export const code: Door = async (count, seed) => {
  const own = fuzzedWaybill();
  const runner = createCodeRunner();
  const violations = await through(
    values(tuple(programs, oddJson), count, seed),
    async ([program, input]) => envelopeProblem(await runner.run(own, program, { input })),
  );
  runner.close();
  return violations;
};

class Collector extends Writable {
  text = "";

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}

const argument = oneof(
  constantFrom("issue.list", "issue.create", "repo=a/b", "title=x", "state=open", "nothing.here"),
  constantFrom("--dry-run", "--trace", "--brief", "--pretty", "--help", "--query", "--select"),
  oddText.map((word) => word.replaceAll("\u0000", "")),
  oddJson.map((value) => JSON.stringify(value)),
);
const words = oneof(
  tuple(constant("run"), constant("issue.list"), argument, argument).map((all) => [
    ...all,
    "--dry-run",
  ]),
  tuple(constant("run"), argument, constant("--input"), argument),
  tuple(
    constant("chain"),
    constant("--steps"),
    oddSteps.map((steps) => JSON.stringify(steps)),
  ),
  tuple(constant("capabilities"), constantFrom("list", "explain"), argument),
  array(argument, { maxLength: 5 }),
);

/**
 * Checks that the command ends with a documented exit code, and prints an envelope if it made a
 * call.
 */
export const command: Door = async (count, seed) =>
  through(values(words, count, seed), async (argv) => {
    const [stdout, stderr] = [new Collector(), new Collector()];
    const env = { HOME: "/nonexistent", WAYBILL_GITHUB: "http://127.0.0.1:9", GH_TOKEN: "x" };
    const stdin = new PassThrough();
    stdin.end();
    const io = { argv, stdin, stdout, stderr, env, cwd: "/", isTTY: false };
    const exit = await main({ ...io, signal: AbortSignal.timeout(600_000) });
    if (![0, 1, 2].includes(exit)) return `exit code ${String(exit)}`;
    if (exit === 2 && stdout.text === "" && stderr.text === "") return "said nothing";
    const isCall = argv[0] === "run" && stdout.text.startsWith("{") && !argv.includes("--brief");
    return isCall ? envelopeProblem(JSON.parse(stdout.text)) : undefined;
  });
