import {
  chmodSync,
  closeSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { fixture, fixtureEnv as env } from "./fixtures/support.mjs";
import { runProgram } from "./index.ts";
import type { ProgramResult } from "./index.ts";

function details(expected: object): unknown {
  const some: unknown = expect.objectContaining(expected);
  return expect.objectContaining({ details: some });
}

function readOutputText({ stdout }: Pick<ProgramResult, "stdout">): string {
  return new TextDecoder().decode(stdout);
}

function newProgram(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), "waybill-program-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "program");
  writeFileSync(path, text, { mode: 0o755 });
  return path;
}

describe("runProgram", () => {
  it("runProgram passes arguments, environment and input to the program unchanged", async () => {
    const argv = ["--a=$(id)", "b c", "*", "'"];
    const result = await runProgram({ program: fixture("echo"), argv, env, stdin: "héllo" });
    expect(JSON.parse(readOutputText(result))).toEqual({ argv, env, stdin: "héllo" });
    expect(result).toMatchObject({ exitCode: 0, signal: null, truncated: false });
    expect(result.durationMs).toBeGreaterThan(0);
  });

  it("runProgram gives the program empty input by default", async () => {
    const result = await runProgram({ program: fixture("echo"), argv: [], env });
    expect(JSON.parse(readOutputText(result))).toMatchObject({ stdin: "" });
  });

  it("runProgram returns the output of a program that does not read its input", async () => {
    const stdin = new Uint8Array(10_000_000);
    const result = await runProgram({ program: fixture("deaf"), argv: [], env, stdin });
    expect(readOutputText(result)).toBe("done");
  });

  it("runProgram keeps the end of standard error", async () => {
    const result = await runProgram({ program: fixture("loud"), argv: [], env });
    expect(result.exitCode).toBe(3);
    expect(result.stderr).toMatch(/x\nthe end\n$/u);
    expect(result.stderr.length).toBeLessThanOrEqual(64_000);
  });

  it("runProgram reports the signal that ended a program", async () => {
    const result = await runProgram({ program: fixture("killed"), argv: [], env });
    expect(result).toMatchObject({ exitCode: null, signal: "SIGKILL" });
  });
});

describe("programs that cannot be started", () => {
  it("runProgram returns ADAPTER_UNSUPPORTED for a missing program", async () => {
    const run = runProgram({ program: "no-such-program", argv: [], env });
    await expect(run).rejects.toThrow(
      details({
        code: "ADAPTER_UNSUPPORTED",
        outcome: "not_applied",
        preflight: "CLI_NOT_AVAILABLE",
      }),
    );
  });

  it("runProgram starts a program whose file another process stops writing a moment later", async () => {
    const program = newProgram("#!/bin/sh\necho done\n");
    const file = openSync(program, "r+");
    const result = runProgram({ program, argv: [], env });
    setTimeout(() => closeSync(file), 10);
    expect(readOutputText(await result)).toBe("done\n");
  });

  it("runProgram returns NOT_READY for a program whose file stays open for writing", async () => {
    const program = newProgram("#!/bin/sh\n");
    const file = openSync(program, "r+");
    onTestFinished(() => closeSync(file));
    await expect(runProgram({ program, argv: [], env })).rejects.toThrow(
      details({ outcome: "not_applied", hint: "End other programs, or call again later" }),
    );
  });

  it("runProgram returns ADAPTER_UNSUPPORTED for a symbolic link that points to itself", async () => {
    const program = newProgram("");
    rmSync(program);
    symlinkSync(program, program);
    await expect(runProgram({ program, argv: [], env })).rejects.toThrow(
      "could not be started (ELOOP); check its file",
    );
  });

  it("runProgram returns ADAPTER_UNSUPPORTED for a file that is not executable", async () => {
    const path = join(mkdtempSync(join(tmpdir(), "waybill-")), "program");
    writeFileSync(path, "");
    chmodSync(path, 0o600);
    await expect(runProgram({ program: path, argv: [], env })).rejects.toThrow(
      details({ code: "ADAPTER_UNSUPPORTED", outcome: "not_applied" }),
    );
  });

  it("runProgram returns VALIDATION for a working folder that does not exist", async () => {
    const run = runProgram({ program: fixture("echo"), argv: [], env, cwd: "/no/such/folder" });
    await expect(run).rejects.toThrow(details({ code: "VALIDATION", outcome: "not_applied" }));
  });

  it("runProgram returns TOO_LARGE for very long arguments, and VALIDATION for a NUL byte", async () => {
    const echo = { program: fixture("echo"), env };
    const long = runProgram({ ...echo, argv: ["x".repeat(5_000_000)] });
    await expect(long).rejects.toThrow(details({ code: "TOO_LARGE", outcome: "not_applied" }));
    const nul = runProgram({ ...echo, argv: ["\0"] });
    await expect(nul).rejects.toThrow(details({ code: "VALIDATION", outcome: "not_applied" }));
  });
});

describe("long output of a program", () => {
  const flood = { program: fixture("flood"), argv: [], maxOutputBytes: 1_500_000 };
  const folder = mkdtempSync(join(tmpdir(), "waybill-"));

  beforeEach(() => {
    vi.stubEnv("TMPDIR", folder);
  });
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  it("long output of a program can be read by offset, and leaves no temporary file", async () => {
    const result = await runProgram({ ...flood, env: { ...env, MEGABYTES: "4" } });
    const { rest, stdout, truncated } = result;
    expect({ truncated, kept: stdout.length, size: rest?.size }).toEqual({
      truncated: true,
      kept: 1_500_000,
      size: 4_000_000,
    });
    const ends = [1, 2, 3, 4].map(async (megabyte) =>
      readOutputText({
        stdout: (await rest?.read(megabyte * 1_000_000 - 3, 3)) ?? new Uint8Array(),
      }),
    );
    expect(await Promise.all(ends)).toEqual([".0\n", ".1\n", ".2\n", ".3\n"]);
    expect(await rest?.read(4_000_000, 10)).toHaveLength(0);
    expect(readdirSync(folder)).toEqual([]);
    await rest?.close();
  });

  it("runProgram reads 200 MB of output without filling the memory or ending the program", async () => {
    const { exitCode, rest } = await runProgram({ ...flood, env });
    expect({ exitCode, size: rest?.size }).toEqual({ exitCode: 0, size: 200_000_000 });
    await rest?.close();
  });

  it("runProgram returns TOO_LARGE for output over the hard limit", async () => {
    const run = runProgram({ ...flood, env, hardLimitBytes: 3_000_000 });
    await expect(run).rejects.toThrow(details({ code: "TOO_LARGE", outcome: "unknown" }));
    expect(readdirSync(folder)).toEqual([]);
  });
});
