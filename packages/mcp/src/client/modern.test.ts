import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fixture, linesOf, temporaryFolder, textOf, waybillOf } from "./fixtures/support.ts";
import { fileStore } from "./index.ts";
import type { Elicitation, McpSourceSettings } from "./index.ts";

function modern(more: Partial<McpSourceSettings> = {}): McpSourceSettings {
  const args = [fixture("modern-server.mjs")];
  return { name: "new", command: process.execPath, args, ...more };
}

const ann = async () => ({ action: "accept", content: { name: "Ann" } }) as const;

describe("a server of protocol 2026-07-28", () => {
  it("the protocol version of an MCP server is requested once, and other processes reuse the answer", async () => {
    const folder = temporaryFolder();
    const log = join(folder, "seen");
    const settings = modern({ env: { SEEN_LOG: log } });
    for (const run of [1, 2]) {
      const waybill = waybillOf({ ...settings, store: fileStore(join(folder, "state")) });
      expect((await waybill.execute("new.grow")).ok).toBe(true);
      expect(linesOf(log).filter((line) => line === "call grow")).toHaveLength(run);
      await waybill.close();
    }
    expect(linesOf(log).filter((line) => line === "discover")).toHaveLength(1);
  });

  it("a new MCP tool can be called after the server announces it on its event stream", async () => {
    const waybill = waybillOf(modern());
    await waybill.execute("new.grow");
    await expect
      .poll(async () => textOf((await waybill.execute("new.grown")).data ?? []))
      .toBe("called grown");
  });
});

describe("a tool that asks a question", () => {
  it("an MCP tool gets the answer to its question together with the state that the tool sent with it", async () => {
    const questions: Elicitation[] = [];
    const elicit: NonNullable<McpSourceSettings["elicit"]> = async (question) => {
      questions.push(question);
      return ann();
    };
    const result = await waybillOf(modern({ elicit })).execute("new.ask");
    expect(textOf(result.data)).toBe("Hello Ann, state-7");
    expect(questions).toMatchObject([{ mode: "form", message: "Who are you?" }]);
  });

  it("an MCP call fails and shows the tool's question if nobody can answer the question", async () => {
    const { error } = await waybillOf(modern()).execute("new.ask");
    expect(error).toMatchObject({
      code: "VALIDATION",
      message: "The tool asks a question before it continues: Who are you?",
      retryable: false,
      details: { outcome: "unknown", input_required: [{ mode: "form", message: "Who are you?" }] },
    });
  });
});

describe("a tool that answers with a task", () => {
  it("a call of an MCP tool that returns a task waits until the task ends", async () => {
    const result = await waybillOf(modern()).execute("new.job");
    expect(textOf(result.data)).toBe("worked");
  });

  it("an MCP task can ask a question and gets the answer", async () => {
    const result = await waybillOf(modern({ elicit: ann })).execute("new.asking-job");
    expect(textOf(result.data)).toBe("Hello Ann");
  });

  it("an MCP task fails and shows its question if nobody can answer the question", async () => {
    const { error } = await waybillOf(modern()).execute("new.asking-job");
    expect(error).toMatchObject({ code: "VALIDATION", details: { outcome: "unknown" } });
  });

  it("a failed MCP task fails the call with the reason of the task", async () => {
    const { error } = await waybillOf(modern()).execute("new.failing-job");
    expect(error).toMatchObject({
      code: "SERVER",
      message: "The server's task for this call ended as failed: Out of paper",
      details: { outcome: "unknown" },
    });
    const stopped = await waybillOf(modern()).execute("new.stopped-job");
    expect(stopped.error?.message).toBe(
      "The server's task for this call ended as failed: No power",
    );
  });

  it("an MCP task is cancelled when the caller cancels the call", async () => {
    const log = join(temporaryFolder(), "seen");
    const seen: string[] = [];
    const onProgress = ({ message = "" }): void => void seen.push(message);
    const waybill = waybillOf(modern({ env: { SEEN_LOG: log }, onProgress }));
    await waybill.execute("new.job");
    seen.length = 0;
    const given = new AbortController();
    const job = waybill.execute("new.long-job", {}, { signal: given.signal });
    await expect.poll(() => seen).toContain("poll 1");
    given.abort();
    expect((await job).error).toMatchObject({ code: "CANCELLED", details: { outcome: "unknown" } });
    await expect.poll(() => linesOf(log)).toContain("cancel task-2");
  });
});
