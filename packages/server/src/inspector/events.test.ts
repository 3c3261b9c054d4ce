import { rm } from "node:fs/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { AUTHORISED, execute, inspect, openAt } from "../fixtures/inspected.ts";
import type { Inspected } from "../fixtures/inspected.ts";
import { Shop } from "../fixtures/shop.ts";
import type { CallSummary, HelloEvent } from "../index.ts";

interface Said {
  readonly event: string;
  readonly data: { readonly calls?: readonly CallSummary[] } & Partial<HelloEvent>;
}

/** The events of a stream, as they arrive. */
async function listen(inspected: Inspected, query = ""): Promise<() => Promise<Said>> {
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const answer = await fetch(`${inspected.url}/v1/inspect/events${query}`, {
    headers: AUTHORISED,
    signal: stop.signal,
  });
  expect(answer.headers.get("content-type")).toContain("text/event-stream");
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  return async () => {
    while (!text.includes("\n\n")) {
      const { value, done } = await reader.read();
      if (done) throw new Error("The stream has ended");
      text += value;
    }
    const [one = ""] = text.split("\n\n", 1);
    text = text.slice(one.length + 2);
    const [, event = "", data = "null"] = /^event: (.*)\ndata: (.*)$/u.exec(one) ?? [];
    return { event, data: JSON.parse(data) as Said["data"] };
  };
}

const idsIn = ({ data }: Said): (string | undefined)[] =>
  (data.calls ?? []).map(({ capability_id }) => capability_id);

describe("GET /v1/inspect/events", () => {
  it("the inspector's event stream starts with the current position, then sends new calls, even of other processes", async () => {
    const inspected = await inspect();
    const next = await listen(inspected);
    const hello = await next();
    expect(hello).toMatchObject({ event: "hello", data: { last_seq: 0 } });
    await execute(inspected, "item.view", { params: { id: 1 } });
    expect(idsIn(await next())).toEqual(["item.view"]);
    const other = openAt(inspected.path);
    await new Shop().waybill({ observer: other.observe("run") }).execute("item.late");
    await other.flush();
    expect(await next()).toMatchObject({ data: { calls: [{ via: "run", seq: 2 }] } });
  });

  it("the inspector's event stream continues after the given position and sends only the requested calls", async () => {
    const inspected = await inspect();
    for (const id of [1, 2, 3]) await execute(inspected, "item.view", { params: { id } });
    await inspected.history.flush();
    const [all, failed] = await Promise.all([
      listen(inspected, "?after=1"),
      listen(inspected, "?after=0&status=error"),
    ]);
    await Promise.all([all(), failed()]);
    expect((await all()).data.calls?.map(({ seq }) => seq)).toEqual([2, 3]);
    await execute(inspected, "item.view", { params: {} });
    expect((await failed()).data.calls).toMatchObject([{ seq: 4, error_code: "VALIDATION" }]);
  });

  it("the inspector's event stream starts from the beginning if the history file was moved away", async () => {
    const inspected = await inspect();
    await execute(inspected, "item.view", { params: { id: 1 } });
    await inspected.history.flush();
    const next = await listen(inspected, "?after=1");
    const { data } = await next();
    for (const end of ["", "-wal", "-shm"]) await rm(`${inspected.path}${end}`, { force: true });
    await execute(inspected, "item.late", {});
    const again = await next();
    expect(again.event).toBe("hello");
    expect(again.data.instance).not.toBe(data.instance);
    expect(idsIn(await next())).toEqual(["item.late"]);
  });

  it("the inspector's event stream ends with the server, and refuses an invalid position", async () => {
    const inspected = await inspect();
    expect((await inspected.get("/v1/inspect/events?after=later")).status).toBe(400);
    const next = await listen(inspected);
    await next();
    await inspected.close();
    await expect(next()).rejects.toThrow("The stream has ended");
  });
});
