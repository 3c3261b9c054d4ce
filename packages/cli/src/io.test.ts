import { Writable } from "node:stream";
import { expect, it, onTestFinished } from "vitest";
import { makeWorld } from "./fixtures/world.ts";

function failing(code: string): Writable {
  const stream = new Writable({
    write: (_chunk, _encoding, done) => done(Object.assign(new Error(code), { code })),
  });
  return stream.on("error", () => {});
}

function bug(): never {
  throw new RangeError("internal secret");
}

it("the command waybill ends without an error if its reader has closed the pipe", async () => {
  const world = await makeWorld(onTestFinished);
  const ended = await world.run(["run", "item.view", "id=3"], { stdout: failing("EPIPE") });
  expect(ended).toMatchObject({ code: 0, stderr: "" });
});

it("the command waybill reports that its answer could not be written", async () => {
  const world = await makeWorld(onTestFinished);
  const { code, stderr } = await world.run(["--version"], { stdout: failing("ENOSPC") });
  expect(code).toBe(1);
  expect(stderr).toBe("waybill: the answer could not be written: ENOSPC\n");
});

it("the message of an internal error of the command waybill goes to stderr, not into the answer", async () => {
  const world = await makeWorld(onTestFinished);
  const env = new Proxy({}, { get: bug });
  const { code, stdout, stderr } = await world.run(["capabilities", "list"], { env });
  expect(code).toBe(1);
  expect(stdout).toContain('"code":"UNKNOWN"');
  expect(stdout).not.toContain("internal secret");
  expect(stderr).toContain("internal secret");
});

it("an answer cannot control the terminal, and its JSON has an unchanged meaning", async () => {
  const world = await makeWorld(onTestFinished);
  const title = "a\u009b2J\u007f\u001b[2Jb";
  const argv = ["run", "item.create", "--input", JSON.stringify({ title }), "--brief"];
  const shown = await world.run(argv, { isTTY: true });
  expect(shown.stdout).not.toMatch(/(?!\n)\p{Cc}/u);
  expect(JSON.parse(shown.stdout)).toMatchObject({ title });
  const piped = await world.run(argv);
  expect(JSON.parse(piped.stdout)).toMatchObject({ title });
});
