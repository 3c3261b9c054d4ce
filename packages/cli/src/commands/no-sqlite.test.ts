import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Finding } from "../doctor/finding.ts";
import { start } from "../fixtures/program.ts";
import { jsonOf, makeWorld } from "../fixtures/world.ts";
import type { Answer, World } from "../fixtures/world.ts";

const preload = fileURLToPath(new URL("../fixtures/no-sqlite.cjs", import.meta.url));
const system = `${process.platform}-${process.arch}`;

describe("a system without the SQLite binary", () => {
  it("reads and writes without a key work without SQLite, with a warning for writes", async () => {
    const world = await makeWorld(onTestFinished);
    const read = await call(world, ["item.view", "id=1", "--record"]);
    expect([read.ok, read.data["id"]]).toEqual([true, 1]);
    expect(JSON.stringify(read.meta)).not.toContain("SQLite");
    const write = await call(world, ["item.create", "title=a"]);
    expect([write.ok, write.error]).toEqual([true, null]);
    expect(write.meta["warnings"]).toEqual([
      expect.stringContaining(`needs SQLite, whose binary for ${system} is not installed`),
    ]);
  });

  it("a write with a key is refused without SQLite, and the error says what to do", async () => {
    const world = await makeWorld(onTestFinished);
    const { error } = await call(world, ["item.create", "title=a", "--idempotency-key", "k1"]);
    expect(error.code).toBe("NOT_READY");
    expect(error.message).toContain(`needs SQLite, whose binary for ${system} is not installed`);
    expect(error.details["hint"]).toContain("call without an idempotency key");
    expect(world.upstream.seen).toEqual([]);
  });

  it("waybill doctor says that calls work without SQLite, and what is missing", async () => {
    const world = await makeWorld(onTestFinished);
    const { stdout, code } = await start(withoutSqlite(world), ["doctor", "--json"]).ended;
    const { ok, findings } = JSON.parse(stdout) as { ok: boolean; findings: Finding[] };
    expect([code, ok]).toEqual([0, true]);
    expect(findings.find(({ name }) => name === "state")).toMatchObject({
      condition: "missing",
      says: expect.stringContaining("without a journal") as string,
    });
  });
});

async function call(world: World, words: readonly string[]): Promise<Answer> {
  return jsonOf(await start(withoutSqlite(world), ["run", ...words]).ended);
}

function withoutSqlite(world: World): World {
  world.env["NODE_OPTIONS"] = `--require ${preload}`;
  return world;
}
