import { PassThrough } from "node:stream";
import { expect, it, onTestFinished, vi } from "vitest";
import type { Io } from "../io.ts";
import { whileWaiting } from "./waiting.ts";

function terminal(env: Record<string, string>, isTTY: boolean): { io: Io; said: () => string } {
  const stderr = Object.assign(new PassThrough(), { isTTY });
  const io = { argv: [], stdin: stderr, stdout: stderr, stderr, env, cwd: "/", isTTY: true };
  return { io, said: () => String(stderr.read() ?? "") };
}

async function longWork(io: Io): Promise<string> {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const work = new Promise<string>((resolve) => setTimeout(() => resolve("done"), 2_500));
  const ended = whileWaiting(io, "item.view", work);
  await vi.advanceTimersByTimeAsync(3_000);
  return ended;
}

it("a person at a terminal sees how long a call has been running, on a line that disappears", async () => {
  const { io, said } = terminal({}, true);
  expect(await longWork(io)).toBe("done");
  const text = said();
  expect(text).toContain("waybill: item.view … 2 s, Ctrl-C cancels");
  expect(text.endsWith("\r\u001b[K")).toBe(true);
});

it.each([
  ["that is not a terminal", {}, false],
  ["that cannot erase a line", { TERM: "dumb" }, true],
])("no line with the waiting time is shown on a stderr %s", async (_name, env, isTTY) => {
  const { io, said } = terminal(env, isTTY);
  await longWork(io);
  expect(said()).toBe("");
});
