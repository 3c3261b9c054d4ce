import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createWaybill, errorFromUnknown, memoryHandles } from "@waybill/core";
import type { ExecuteOptions, ResultEnvelope, SourceProblem } from "@waybill/core";
import { sourceContract } from "@waybill/core/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { commandSource } from "./index.ts";
import type { CommandManifest, ManifestOperation } from "./index.ts";

const ECHO = "process.stdout.write(JSON.stringify(process.argv.slice(1)))";

/** Node is the program, because it is installed and a script can make it do anything. */
function manifest(operations: Record<string, ManifestOperation>): CommandManifest {
  return { program: process.execPath, env: ["TOOL_TOKEN"], operations };
}

const echo: ManifestOperation = {
  description: "Says which words it was given",
  effect: "read",
  argv: [
    "-e",
    ECHO,
    "--",
    "list",
    "--all{all?}",
    ["--limit", "{limit}"],
    "--label={labels...}",
    "{path}",
  ],
  input: {
    all: { type: "boolean" },
    limit: { type: "integer" },
    labels: { type: "array", items: { type: "string" } },
    path: { type: "string" },
  },
  output: "json",
};

const env = { PATH: process.env["PATH"], TOOL_TOKEN: "very-secret", OTHER_TOKEN: "not-for-it" };

function call(
  operation: ManifestOperation,
  params: object = {},
  options: ExecuteOptions = {},
): Promise<ResultEnvelope> {
  const source = commandSource({ name: "tool", manifest: manifest({ do: operation }), env });
  return createWaybill({ sources: [source] }).execute("tool.do", params, options);
}

/** A command that runs a script with Node. */
function script(code: string, more: Partial<ManifestOperation> = {}): ManifestOperation {
  return { description: "Runs a script", effect: "read", argv: ["-e", code], ...more };
}

const echoSource = () => commandSource({ name: "tool", manifest: manifest({ echo }), env });

describe("commandSource", () => {
  const example = {
    id: "tool.echo",
    input: { limit: 3 },
    data: ["list", "--limit", "3"],
    badInput: { limit: "three" },
  };
  for (const { name, run } of sourceContract(echoSource, example)) {
    it(name, () => run());
  }

  it.each([
    [{}, ["list"]],
    [{ all: true, limit: 0 }, ["list", "--all", "--limit", "0"]],
    [{ all: false, labels: [] }, ["list"]],
    [{ labels: ["a b", "$(id)", "-x"] }, ["list", "--label=a b", "--label=$(id)", "--label=-x"]],
    [{ path: "-after-dashes" }, ["list", "-after-dashes"]],
  ])("commandSource turns the input %j into the arguments %j", async (params, words) => {
    expect((await call(echo, params)).data).toEqual(words);
  });

  it.each([
    ["{all?}--all", { all: true }, ["list", "--all"]],
    ["{all?}--all", { all: false }, ["list"]],
    ["{all?}--limit={limit}", { all: true, limit: 2 }, ["list", "--limit=2"]],
  ])(
    "commandSource expands the argument %s for the input %j to %j",
    async (word, params, words) => {
      const input = { all: { type: "boolean" }, limit: { type: "integer" } };
      const used = word.includes("limit") ? input : { all: input.all };
      const operation = { ...echo, argv: ["-e", ECHO, "list", word], input: used };
      expect((await call(operation, params)).data).toEqual(words);
    },
  );

  it("a command source refuses an input value that starts with a dash where the manifest has {all?}{path}", async () => {
    const input = { all: { type: "boolean" }, path: { type: "string" } };
    const operation = { ...echo, argv: ["-e", ECHO, "{all?}{path}"], input };
    const { error } = await call(operation, { all: true, path: "--eval=1" });
    expect(error).toMatchObject({ code: "VALIDATION", details: { issues: [{ path: "/path" }] } });
  });

  it("a command source refuses an input value that the program would read as a flag", async () => {
    const { error } = await call(
      { ...echo, argv: ["-e", ECHO, "{path}"], input: { path: { type: "string" } } },
      { path: "--eval=1" },
    );
    expect(error).toMatchObject({ code: "VALIDATION", details: { issues: [{ path: "/path" }] } });
  });

  it("a command source passes a long input to the program by standard input", async () => {
    const body = "x".repeat(3_000_000);
    const code =
      "let n = 0; process.stdin.on('data', (c) => n += c.length).on('end', () => console.log(n))";
    const operation = script(code, {
      input: { body: { type: "string" } },
      stdin: "body",
      output: "lines",
    });
    expect((await call(operation, { body })).data).toEqual(["3000000"]);
    const shown = await call(operation, { body: "short" }, { dry_run: true });
    expect(shown.data).toMatchObject({ requests: [{ route: "cli", stdin: "short" }] });
  });

  it("a program of a command source gets only its own token, and the token is redacted in every answer", async () => {
    const operation = script("console.error(JSON.stringify(process.env)); process.exit(3)");
    const answer = JSON.stringify(await call(operation));
    expect(answer).not.toContain("very-secret");
    expect(answer).not.toContain("not-for-it");
    expect(answer).toContain("[redacted]");
  });

  it("the error code of a failed program is the code that the manifest gives its exit code, or else UNKNOWN", async () => {
    const operation = script(
      "console.error('no such thing'); process.exit(Number(process.argv[1]))",
      {
        effect: "write",
        exit_codes: { "4": "NOT_FOUND" },
        input: { code: { type: "integer" } },
      },
    );
    const withCode = { ...operation, argv: [...operation.argv, "--", "{code}"] };
    const known = (await call(withCode, { code: 4 })).error;
    expect(known).toMatchObject({
      code: "NOT_FOUND",
      details: { exit_code: 4, outcome: "unknown" },
    });
    expect(known?.message).toContain("no such thing");
    expect((await call(withCode, { code: 5 })).error).toMatchObject({
      code: "UNKNOWN",
      retryable: false,
      details: { outcome: "unknown" },
    });
  });

  it.each([
    ["text", "process.stdout.write('a\\nb')", "a\nb"],
    ["lines", "process.stdout.write('a\\r\\nb\\n')", ["a", "b"]],
    ["lines", "", []],
    ["json", "console.log('{\"a\":[1]}')", { a: [1] }],
  ] as const)(
    `a command source reads a program's output of the kind "%s"`,
    async (output, code, data) => {
      expect((await call(script(code, { output }))).data).toEqual(data);
    },
  );

  it.each(["<html>", "", '{"a":'])(
    "a command source returns SERVER with the outcome applied for program output that is not JSON: %j",
    async (printed) => {
      const code = `process.stdout.write(${JSON.stringify(printed)})`;
      const { error } = await call(script(code, { output: "json", effect: "write" }));
      expect(error).toMatchObject({ code: "SERVER", details: { outcome: "applied" } });
    },
  );

  it("a command source cuts very long program output and leaves no temporary file", async () => {
    const before = await readdir(tmpdir());
    const code = "process.stdout.write('x'.repeat(100_000))";
    const source = commandSource({
      name: "tool",
      manifest: manifest({ do: script(code) }),
      env,
      maxOutputBytes: 1_000,
    });
    const { data, meta } = await createWaybill({ sources: [source] }).execute("tool.do", {});
    expect(data).toBe("x".repeat(1_000));
    expect(meta.warnings).toContain("The data has only the first 1000 of 100000 bytes");
    const left = (await readdir(tmpdir())).filter((name) => !before.includes(name));
    expect(left.filter((name) => name.includes("spool"))).toEqual([]);
  });

  it("a command source stops a program at its timeout", async () => {
    const { error } = await call(script("setInterval(() => {}, 1000)", { timeout_ms: 300 }));
    expect(error?.code).toBe("TIMEOUT");
  });

  it("a command source returns ADAPTER_UNSUPPORTED if the program is not installed", async () => {
    const source = commandSource({
      name: "tool",
      manifest: { program: "no-such-program", operations: { do: script("") } },
      env,
    });
    const { error } = await createWaybill({ sources: [source] }).execute("tool.do", {});
    expect(error?.code).toBe("ADAPTER_UNSUPPORTED");
    expect(error?.message).toContain("no-such-program is not installed");
  });

  it("an operation without an effect in the manifest counts as a write", async () => {
    const { effect: _, ...silent } = script("");
    const source = commandSource({ name: "tool", manifest: manifest({ do: silent }), env });
    const waybill = createWaybill({ sources: [source], policy: { read_only: true } });
    expect((await waybill.execute("tool.do", {})).error?.code).toBe("POLICY");
  });

  it("a program of a command source runs in the configured folder", async () => {
    const cwd = await mkdtemp(join(tmpdir(), "waybill-command-"));
    onTestFinished(() => rm(cwd, { recursive: true }));
    await writeFile(join(cwd, "here"), "");
    const code = "console.log(fs.readdirSync('.').join())";
    const source = commandSource({
      name: "tool",
      manifest: manifest({ do: script(code) }),
      env,
      cwd,
    });
    expect((await createWaybill({ sources: [source] }).execute("tool.do", {})).data).toBe("here\n");
  });
});

describe("the manifest of a command source", () => {
  it("a command source keeps the valid operations of a manifest and reports the invalid operations", async () => {
    const problems: SourceProblem[] = [];
    const wrong = {
      typo: { ...echo, efect: "read" },
      unknown: { ...echo, argv: ["{nothing}"] },
      half: { description: "No words" },
      fine: echo,
    };
    const source = commandSource({ name: "tool", manifest: manifest(wrong as never), env });
    const observer = { onProblem: (problem: SourceProblem) => void problems.push(problem) };
    const waybill = createWaybill({ sources: [source], observer });
    expect((await waybill.execute("tool.fine", {})).data).toEqual(["list"]);
    const said = problems.map(({ operationId, message }) => `${operationId}: ${message}`);
    expect(said[0]).toContain("tool.typo: efect");
    expect(said[1]).toContain("nothing is used, but not described under input");
    expect(said[2]).toContain("tool.half: argv is required");
  });

  it.each([
    [null],
    [[]],
    [{}],
    [{ program: "x" }],
    [{ program: "", operations: {} }],
    ["program: x"],
  ])("commandSource refuses the manifest %j", async (value) => {
    const source = commandSource({ name: "tool", manifest: value, env });
    const error = await source.list().then(() => undefined, errorFromUnknown);
    expect(error?.message).toContain("The manifest of tool is wrong");
  });
});

describe("integers beyond 2^53", () => {
  const LARGE = "12345678901234567890";

  it("a command source returns integers beyond 2^53 as strings of digits, with a warning", async () => {
    const result = await call(
      script(`process.stdout.write('{"id":${LARGE}}')`, { output: "json" }),
    );
    expect(result.data).toEqual({ id: LARGE });
    expect(result.meta.warnings).toEqual([
      "These integers are above 2^53, so they are strings of digits: /id",
    ]);
  });

  it("a command source passes integers beyond 2^53 to a program as digits, in arguments and in JSON", async () => {
    const words = await call(echo, { limit: LARGE });
    expect(words.data).toEqual(["list", "--limit", LARGE]);
    const copy = script("process.stdin.pipe(process.stdout)", {
      input: { body: { type: "object", properties: { id: { type: "integer" } } } },
      stdin: "body",
    });
    expect((await call(copy, { body: { id: LARGE } })).data).toBe(`{"id":${LARGE}}`);
  });
});

describe("binary output of a program", () => {
  const BYTES = "process.stdout.write(Buffer.from([0x89,0x50,0x4e,0x47,0xff,0x00]))";

  it("binary output of a program is stored, and the answer contains its handle", async () => {
    const handles = memoryHandles();
    const manifested = manifest({ do: script(BYTES) });
    const source = commandSource({ name: "tool", manifest: manifested, env, handles });
    const result = await createWaybill({ sources: [source], handles }).execute("tool.do");
    expect(result.data).toMatchObject({ size: 6, content_type: "image/png" });
    const { handle } = result.data as { handle: string };
    const kept = await handles.read(handle, 0, 100);
    expect([...Buffer.from(kept!.text, "base64")]).toEqual([0x89, 0x50, 0x4e, 0x47, 0xff, 0]);
    expect(result.meta.warnings?.[0]).toContain("binary data");
  });

  it("short binary output of a program is returned as base64 if there is no handle store", async () => {
    const { data } = await call(script(BYTES, { output: "lines" }));
    expect(data).toMatchObject({ base64: "iVBOR/8A" });
  });
});
