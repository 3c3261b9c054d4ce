import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startEmbedded } from "./fixtures/embedded.ts";
import type { Embedded } from "./fixtures/embedded.ts";

const HELLO = { owner: "octo", name: "hello" };

describe("waiting for a run", () => {
  let embedded: Embedded;
  const runOf = (isDone: boolean): number => {
    const { runs } = embedded.github.store.repositories.find(({ name }) => name === "hello")!;
    const isCompleted = (run: (typeof runs)[number]): boolean =>
      run.suite.checkRuns.every(({ status }) => status === "COMPLETED");
    return runs.find((run) => isCompleted(run) === isDone)!.id;
  };
  const looks = (): number =>
    embedded.github.requests.filter(({ path }) => /\/runs\/\d+$/.test(path)).length;

  beforeAll(async () => {
    embedded = await startEmbedded();
  });
  afterAll(() => embedded.close());

  it("workflow.run.wait returns a completed run at once, in the form of workflow.run.view", async () => {
    const params = { repo: "octo/hello", run: runOf(true) };
    const waited = await embedded.waybill.execute("workflow.run.wait", params);
    const viewed = await embedded.waybill.execute("workflow.run.view", params);
    expect(waited.error).toBeNull();
    expect(waited.data).toEqual(viewed.data);
  });

  it("workflow.run.wait returns NOT_READY with the state of the run after timeoutSeconds", async () => {
    const params = { ...HELLO, runId: runOf(false), timeoutSeconds: 1 };
    const { error } = await embedded.waybill.execute("workflow.run.wait", params);
    expect(error).toMatchObject({
      code: "NOT_READY",
      retryable: true,
      message: "The run is still in_progress; call workflow.run.wait again to continue waiting",
      details: { partial: { id: params.runId, status: "IN_PROGRESS", conclusion: null } },
    });
  });

  it("workflow.run.wait returns NOT_READY before the caller's deadline", async () => {
    const params = { ...HELLO, runId: runOf(false) };
    const options = { deadline_ms: 4_000 };
    const { error } = await embedded.waybill.execute("workflow.run.wait", params, options);
    expect(error).toMatchObject({
      code: "NOT_READY",
      details: { partial: { status: "IN_PROGRESS" } },
    });
  });

  it("workflow.run.wait returns NOT_READY with the last state if GitHub does not answer before the deadline", async () => {
    const params = { ...HELLO, runId: runOf(false) };
    const before = looks();
    const options = { deadline_ms: 6_000 };
    const waiting = embedded.waybill.execute("workflow.run.wait", params, options);
    await expect.poll(looks).toBeGreaterThan(before);
    const match = { path: /\/actions\/runs\// };
    embedded.github.faults.inject({ kind: "delay", delayMs: 600_000, match });
    expect((await waiting).error).toMatchObject({
      code: "NOT_READY",
      details: { partial: { status: "IN_PROGRESS" } },
    });
  });

  it("workflow.run.wait stops when the caller cancels", async () => {
    const stop = new AbortController();
    const params = { ...HELLO, runId: runOf(false) };
    const before = looks();
    const waiting = embedded.waybill.execute("workflow.run.wait", params, { signal: stop.signal });
    await expect.poll(looks).toBeGreaterThan(before);
    stop.abort();
    expect((await waiting).error).toMatchObject({ code: "CANCELLED" });
  });

  it("workflow.run.wait returns NOT_FOUND for a run that does not exist", async () => {
    const params = { ...HELLO, runId: 999_999 };
    const { error } = await embedded.waybill.execute("workflow.run.wait", params);
    expect(error).toMatchObject({ code: "NOT_FOUND" });
  });

  it("workflow.run.wait returns the run when it completes, even if a request failed in between", async () => {
    const params = { ...HELLO, runId: runOf(false) };
    const before = looks();
    const waiting = embedded.waybill.execute("workflow.run.wait", params);
    await expect.poll(looks).toBeGreaterThan(before);
    const match = { path: /\/actions\/runs\// };
    embedded.github.faults.inject({ kind: "status", status: 502, match, times: 3 });
    embedded.github.finishRun(params.runId, "FAILURE");
    const { data, error } = await waiting;
    expect(error).toBeNull();
    expect(data).toMatchObject({ status: "COMPLETED", conclusion: "FAILURE" });
  });
});
