import { describe, expect, it, vi } from "vitest";
import { successResult } from "../envelope/index.ts";
import { journalContract } from "../testing/index.ts";
import { memoryJournal } from "./memory-journal.ts";

describe("journal in memory", () => {
  for (const { name, run } of journalContract(memoryJournal)) it(name, () => run());

  it("memoryJournal forgets a call after one day", async () => {
    vi.useFakeTimers();
    try {
      const journal = memoryJournal();
      const key = { key: "a", identity: "b", host: "c", capability: "d.e", digest: "f" };
      const open = await journal.begin({ ...key, key: "open" }, "r0");
      const verdict = await journal.begin(key, "r1");
      if (verdict.state !== "owned") throw new Error(verdict.state);
      await verdict.lease.settle(successResult(1, { capability_id: "d.e" }), "applied");
      expect(await journal.begin(key, "r2")).toMatchObject({ state: "settled" });
      vi.advanceTimersByTime(86_400_001);
      expect(await journal.begin(key, "r3")).toMatchObject({ state: "owned" });
      expect(open.state).toBe("owned");
    } finally {
      vi.useRealTimers();
    }
  });
});
