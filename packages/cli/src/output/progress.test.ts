import { Writable } from "node:stream";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Io } from "../io.ts";
import { ProgressLine } from "./progress.ts";

function ioWith(isTTY: boolean): { io: Io; written: string[] } {
  const written: string[] = [];
  const sink = () =>
    new Writable({
      write(chunk: Buffer, _encoding, done) {
        written.push(chunk.toString());
        done();
      },
    });
  const stderr = Object.assign(sink(), { isTTY });
  const stdin = (async function* () {})();
  return {
    io: { argv: [], stdin, stdout: sink(), stderr, env: {}, cwd: "/", isTTY: false },
    written,
  };
}

afterEach(() => {
  vi.useRealTimers();
});

describe("ProgressLine", () => {
  it("ProgressLine overwrites itself on a terminal, at intervals, and clears itself", () => {
    vi.useFakeTimers();
    const { io, written } = ioWith(true);
    const line = new ProgressLine(io);
    line.show("at once");
    vi.advanceTimersByTime(400);
    line.show("later");
    line.show("right after");
    line.clear();
    expect(written).toEqual(["\r\u001B[Klater", "\r\u001B[K"]);
  });

  it("ProgressLine prints nothing without a terminal", () => {
    vi.useFakeTimers();
    const { io, written } = ioWith(false);
    const line = new ProgressLine(io);
    vi.advanceTimersByTime(400);
    line.show("later");
    line.clear();
    expect(written).toEqual([]);
  });
});
