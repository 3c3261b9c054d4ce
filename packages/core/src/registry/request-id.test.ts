import { describe, expect, it, vi } from "vitest";
import { nextRequestId } from "./index.ts";

const PREFIX = 8;
const USED_UP = 36 ** 4;

/** The first id of a new process. The module is loaded again for this. */
async function firstId(): Promise<string> {
  vi.resetModules();
  const fresh = await import("./request-id.ts");
  return fresh.nextRequestId();
}

describe("nextRequestId", () => {
  it("request ids are unique and consist of letters and digits", () => {
    const ids = Array.from({ length: 10_000 }, nextRequestId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => !/^[0-9A-Za-z]{9,12}$/.test(id))).toEqual([]);
  });

  it("request ids start differently in every process", async () => {
    const starts = [];
    for (let count = 0; count < 50; count++) starts.push((await firstId()).slice(0, PREFIX));
    expect(new Set(starts).size).toBe(starts.length);
  });

  it("request ids have at most 12 characters, even after the counter overflows", () => {
    const start = nextRequestId().slice(0, PREFIX);
    let longest = 0;
    let last = "";
    for (let count = 0; count < USED_UP; count++) {
      last = nextRequestId();
      longest = Math.max(longest, last.length);
    }
    expect(longest).toBe(12);
    expect(last.slice(0, PREFIX)).not.toBe(start);
  });
});
