import { once } from "node:events";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { start, startClosed } from "./fixtures/program.ts";
import { jsonOf, makeWorld } from "./fixtures/world.ts";
import { version } from "./version.ts";

describe("the waybill program", () => {
  it("the program waybill prints its version, and prints errors as an envelope", async () => {
    const world = await makeWorld(onTestFinished);
    const shown = start(world, ["--version"]).ended;
    const wrong = await start(world, ["runn"]).ended;
    expect(await shown).toEqual({ code: 0, stdout: `${version()}\n`, stderr: "" });
    expect(wrong.code).toBe(2);
    expect(jsonOf(wrong).error.code).toBe("VALIDATION");
  });

  it("the program waybill reads its input from a pipe, and reports an empty input", async () => {
    const world = await makeWorld(onTestFinished);
    const piped = await start(world, ["run", "item.view", "--input", "-"], '{"id": 3}').ended;
    expect([piped.code, jsonOf(piped).data["id"]]).toEqual([0, 3]);
    const empty = await start(world, ["run", "item.view", "--input", "-"]).ended;
    expect([empty.code, jsonOf(empty).error.message]).toEqual([
      2,
      "stdin is empty; --input needs JSON",
    ]);
  });

  it.each(["SIGINT", "SIGTERM"] as const)(
    "%s cancels a call of the program waybill, which prints the envelope of the cancelled call",
    async (signal) => {
      const world = await makeWorld(onTestFinished);
      const asked = world.upstream.next();
      const left = world.upstream.left();
      const program = start(world, ["run", "item.wait"]);
      await asked;
      program.process.kill(signal);
      const ended = await program.ended;
      await left;
      expect(ended.code).toBe(1);
      expect(jsonOf(ended)).toMatchObject({ ok: false, error: { code: "CANCELLED" } });
    },
  );

  it.each(["SIGINT", "SIGTERM"] as const)("waybill graph watch runs until %s", async (signal) => {
    const world = await makeWorld(onTestFinished);
    await world.write("code/a.ts", "export const a = 1;\n");
    // Stores the graph first, so that the next command stays alive because it watches, not because
    // it still reads files.
    await start(world, ["graph", "digest", "--root", "../code"]).ended;
    const program = start(world, ["graph", "watch", "--root", "../code"]);
    const told = (): Promise<unknown> =>
      Promise.race([once(program.process.stdout, "data"), program.ended]);
    await told();
    await start(world, ["--version"]).ended;
    expect(program.process.exitCode).toBeNull();
    await world.write("code/b.ts", "export const b = 1;\n");
    await told();
    program.process.kill(signal);
    const { code, stdout } = await program.ended;
    const files = stdout
      .trim()
      .split("\n")
      .map((line) => Reflect.get(JSON.parse(line) as object, "files"));
    expect([code, files]).toEqual([0, [1, 2]]);
  });

  it("a closed stdin of the program waybill counts as empty input", async () => {
    const world = await makeWorld(onTestFinished);
    const ended = await startClosed(world, ["run", "item.view", "--input", "-"]).ended;
    expect([ended.code, jsonOf(ended).error.message]).toEqual([
      2,
      "stdin is empty; --input needs JSON",
    ]);
    const unread = await startClosed(world, ["run", "item.view", "id=3"]).ended;
    expect([unread.code, jsonOf(unread).data["id"]]).toEqual([0, 3]);
  });

  it("the program waybill ends without an error if nobody reads its answer", async () => {
    const world = await makeWorld(onTestFinished);
    const asked = world.upstream.next();
    const program = start(world, ["run", "item.list"]);
    program.process.stdout.destroy();
    await asked;
    expect(await program.ended).toEqual({ code: 0, stdout: "", stderr: "" });
  });

  it("three processes that make an equal keyed write send one request", async () => {
    const world = await makeWorld(onTestFinished);
    const argv = ["run", "item.create", "title=a", "--idempotency-key", "k1"];
    const both = await Promise.all([start(world, argv).ended, start(world, argv).ended]);
    const again = await start(world, argv).ended;
    const answers = [...both, again].map(jsonOf);
    expect(answers.map(({ data }) => data["id"])).toEqual([1, 1, 1]);
    expect(answers[2]!.meta["replayed"]).toBe(true);
    expect(world.upstream.seen).toHaveLength(1);
    expect((await stat(join(world.state, "journal.db"))).mode & 0o777).toBe(0o600);
  });

  it("an approval from one process is valid in another process", async () => {
    const world = await makeWorld(onTestFinished);
    const refused = jsonOf(await start(world, ["run", "item.delete", "id=3"]).ended);
    const approve = String(refused.error.details["approve"]);
    const approved = await start(world, ["run", "item.delete", "id=3", "--approve", approve]).ended;
    expect([approved.code, world.upstream.seen.length]).toEqual([0, 1]);
    expect((await stat(join(world.state, "approvals.db"))).mode & 0o777).toBe(0o600);
  });

  it("a read writes only the cached index to the state folder", async () => {
    const world = await makeWorld(onTestFinished);
    await start(world, ["run", "item.view", "id=3"]).ended;
    // The fixture stores its trust in this folder, and the command may store the index of its cards
    // there.
    const written = (await readdir(world.state)).filter((name) => name !== "index");
    expect(written).toEqual(["trust"]);
  });
});
