import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRedactor, defineOperation, lateSource, localSource } from "@waybill/core";
import type { ResultEnvelope, Waybill } from "@waybill/core";
import { openHistory } from "@waybill/local";
import type { History } from "@waybill/local";
import { describe, expect, it, onTestFinished } from "vitest";
import { Shop } from "../fixtures/shop.ts";
import { createHttpApp, startHttpServer } from "../index.ts";
import type { CallSummary, HelloEvent, InspectorOptions } from "../index.ts";

const TOKEN = "the-token";
const AUTHORISED = { authorization: `Bearer ${TOKEN}` };

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "waybill-inspector-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

const redactor = createRedactor();

/** Another process would open the same file. */
function openAt(path: string): History {
  const history = openHistory({ path, redact: (value) => redactor.value(value) });
  onTestFinished(() => history.close());
  return history;
}

const purge = defineOperation({
  id: "item.purge",
  description: "Remove an item",
  effect: "destructive",
  input: { type: "object", required: ["id"], properties: { id: { type: "integer" } } },
  handler: () => ({ gone: true }),
});
const large = defineOperation({
  id: "item.large",
  description: "Answer much",
  effect: "read",
  handler: () => ({ text: "<b>&".repeat(1_300_000) }),
});

interface Inspected {
  readonly url: string;
  readonly path: string;
  readonly history: History;
  readonly waybill: Waybill;
  readonly close: () => Promise<void>;
  get(path: string, headers?: Record<string, string>): Promise<Response>;
  json(path: string): Promise<Record<string, unknown>>;
}

async function inspect(more: Partial<InspectorOptions> = {}): Promise<Inspected> {
  const path = join(await newFolder(), "history.db");
  const history = openAt(path);
  const shop = new Shop();
  const waybill = shop.waybill({
    operations: [...shop.operations, large],
    sources: [
      localSource("bin", [purge]),
      lateSource("gone", () => Promise.reject(new Error("nobody there")), "rest"),
    ],
    observer: history.observe("inspect"),
  });
  const server = await startHttpServer({
    waybill,
    version: "1",
    tokens: [{ token: TOKEN }],
    inspector: { history, kinds: { bin: "cards" }, ...more },
  });
  onTestFinished(() => server.close());
  const get = (asked: string, headers: Record<string, string> = AUTHORISED) =>
    fetch(`${server.url}${asked}`, { headers });
  return {
    url: server.url,
    path,
    history,
    waybill,
    close: () => server.close(),
    get,
    json: async (asked) => (await (await get(asked)).json()) as Record<string, unknown>,
  };
}

async function execute({ url }: Inspected, id: string, body: object): Promise<ResultEnvelope> {
  const answer = await fetch(`${url}/v1/execute/${id}`, {
    method: "POST",
    headers: { ...AUTHORISED, "content-type": "application/json", origin: url },
    body: JSON.stringify(body),
  });
  return (await answer.json()) as ResultEnvelope;
}

describe("who may look", () => {
  it.each([
    ["no token", {}],
    ["a wrong token", { authorization: "Bearer wrong" }],
  ])("is not whoever has %s", async (_what, headers: Record<string, string>) => {
    const inspected = await inspect();
    const paths = ["calls", "calls/x", "events", "capabilities/item.view", "sources", "totals"];
    for (const path of paths) {
      const answer = await inspected.get(`/v1/inspect/${path}`, headers);
      expect([path, answer.status]).toEqual([path, 401]);
      expect(await answer.json()).toMatchObject({ ok: false, error: { code: "AUTH" } });
    }
  });

  it("is never everyone: without tokens there is no inspector", async () => {
    const history = openAt(join(await newFolder(), "history.db"));
    const waybill = new Shop().waybill();
    expect(() => createHttpApp({ waybill, version: "1", inspector: { history } })).toThrow(
      "An inspector needs tokens",
    );
  });

  it("asks nothing of a server without one", async () => {
    const app = createHttpApp({ waybill: new Shop().waybill(), version: "1" });
    const request = new Request("http://127.0.0.1/v1/inspect/calls", {
      headers: { host: "127.0.0.1" },
    });
    expect((await app.fetch(request)).status).toBe(404);
  });
});

describe("calls", () => {
  it("are listed newest first, by what was asked for, page by page", async () => {
    const inspected = await inspect();
    await execute(inspected, "item.view", { params: { id: 1 } });
    await execute(inspected, "item.view", { params: {} });
    await execute(inspected, "item.create", { params: { title: "<script>" } });
    await inspected.history.flush();
    const all = await inspected.json("/v1/inspect/calls?limit=2");
    expect(all).toMatchObject({
      calls: [
        { capability_id: "item.create", effect: "write", outcome: "applied", via: "inspect" },
        { capability_id: "item.view", ok: false, error_code: "VALIDATION" },
      ],
      more: true,
      total: 3,
      last_seq: 3,
    });
    const older = await inspected.json("/v1/inspect/calls?before=2&status=ok&capability=item.*");
    expect(older).toMatchObject({ calls: [{ seq: 1, ok: true }], more: false, total: 2 });
    for (const wrong of ["limit=x", "status=maybe", "colour=red", "since=-1"]) {
      const answer = await inspected.get(`/v1/inspect/calls?${wrong}`);
      expect([wrong, answer.status]).toEqual([wrong, 400]);
    }
  });

  it("have a page each, with what it takes to make them again", async () => {
    const inspected = await inspect();
    await execute(inspected, "item.create", { params: { title: "it's" } });
    await inspected.history.flush();
    const [call] = (await inspected.history.calls()).calls;
    const detail = await inspected.json(`/v1/inspect/calls/${call!.request_id}`);
    expect(detail).toMatchObject({
      params: { title: "it's" },
      envelope: { ok: true, data: { title: "it's" } },
      envelope_cut: false,
      timeline: [{ route: "local", status: "success" }],
      children: [],
      ancestors: [],
      journal: { outcome: "applied", keyed: false },
      command: String.raw`waybill run item.create --input '{"title":"it'\''s"}'`,
      code: 'await waybill.execute("item.create", {\n  "title": "it\'s"\n});',
    });
    expect((await inspected.get("/v1/inspect/calls/none")).status).toBe(404);
  });

  it("of five megabytes are told in part, and how large they were", async () => {
    const inspected = await inspect();
    await execute(inspected, "item.large", {});
    await inspected.history.flush();
    const [call] = (await inspected.history.calls()).calls;
    const answer = await inspected.get(`/v1/inspect/calls/${call!.request_id}`);
    const text = await answer.text();
    expect(text.length).toBeLessThan(400_000);
    expect(JSON.parse(text)).toMatchObject({ envelope_cut: true });
    expect((JSON.parse(text) as { envelope_size: number }).envelope_size).toBeGreaterThan(
      5_000_000,
    );
  });

  it("of a chain can be written down as well", async () => {
    const inspected = await inspect();
    await inspected.waybill.chain([{ task: "item.view", input: { id: 1 } }]);
    await inspected.history.flush();
    const [chain] = (await inspected.history.calls()).calls;
    expect(await inspected.json(`/v1/inspect/calls/${chain!.request_id}`)).toMatchObject({
      kind: "chain",
      children: [{ kind: "step", capability_id: "item.view" }],
      command: `waybill chain --steps '[{"task":"item.view","input":{"id":1}}]'`,
    });
  });

  it("that remove something need an approval, which the refusal gives", async () => {
    const inspected = await inspect();
    const refused = await execute(inspected, "item.purge", { params: { id: 1 } });
    expect(refused).toMatchObject({ ok: false, error: { code: "POLICY" } });
    const approve = refused.error?.details?.["approve"];
    const done = await execute(inspected, "item.purge", {
      params: { id: 1 },
      options: { approve },
    });
    expect(done).toMatchObject({ ok: true, data: { gone: true } });
  });
});

interface Said {
  readonly event: string;
  readonly data: { readonly calls?: readonly CallSummary[] } & Partial<HelloEvent>;
}

/** What a stream of events says, as it comes. */
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

describe("the stream of calls", () => {
  it("says where it stands, then what comes, also from other processes", async () => {
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

  it("goes on where a listener was, and tells each only what it asked for", async () => {
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

  it("begins anew with a history that was moved aside", async () => {
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

  it("ends with the server, and says what is wrong with a question", async () => {
    const inspected = await inspect();
    expect((await inspected.get("/v1/inspect/events?after=later")).status).toBe(400);
    const next = await listen(inspected);
    await next();
    await inspected.close();
    await expect(next()).rejects.toThrow("The stream has ended");
  });
});

describe("what there is to see besides", () => {
  it("is a capability with its schemas and how its routes stand", async () => {
    const inspected = await inspect();
    expect(await inspected.json("/v1/inspect/capabilities/item.purge")).toMatchObject({
      explanation: { capability_id: "item.purge", required_inputs: ["id:integer"] },
      text: expect.stringContaining("item.purge (destructive)") as unknown,
      input_schema: { required: ["id"] },
      effect: "destructive",
      source: "bin",
      routes: [{ route: "local", preferred: true, state: "ready" }],
    });
    expect((await inspected.get("/v1/inspect/capabilities/no.such")).status).toBe(404);
  });

  it("is each source, as it stands and as its calls went", async () => {
    const inspected = await inspect();
    await inspected.waybill.list_capabilities();
    await execute(inspected, "item.purge", { params: { id: 1 } });
    await execute(inspected, "item.view", { params: { id: 1 } });
    await inspected.history.flush();
    expect(await inspected.json("/v1/inspect/sources")).toMatchObject({
      sources: [
        {
          name: "bin",
          kind: "cards",
          state: "up",
          operations: 1,
          calls: 1,
          errors: 1,
          last_error: { code: "POLICY" },
        },
        {
          name: "gone",
          kind: "rest",
          state: "down",
          calls: 0,
          last_error: { code: "SOURCE_DOWN", message: "nobody there" },
        },
        { name: "local", calls: 1, errors: 0 },
      ],
    });
  });

  it("is what calls took altogether", async () => {
    const inspected = await inspect();
    await execute(inspected, "item.view", { params: { id: 1 } });
    await inspected.history.flush();
    const totals = await inspected.json("/v1/inspect/totals?buckets=3");
    expect(totals).toMatchObject({
      capabilities: [{ capability_id: "item.view", calls: 1, errors: 0 }],
      routes: [{ route: "local", calls: 1 }],
    });
  });

  it("is the picture of a code base, where there is one", async () => {
    expect((await (await inspect()).get("/v1/inspect/graph")).status).toBe(404);
    const picture = {
      root: "/r",
      files: ["a.ts"],
      imports: [],
      layers: [],
      layer_of: [-1],
      hotspots: [],
      cycles: [],
      violations: [],
      changed: [],
      notes: [],
    };
    const inspected = await inspect({ graph: { picture: () => Promise.resolve(picture) } });
    expect(await inspected.json("/v1/inspect/graph")).toEqual(picture);
  });
});

async function pageFolder(): Promise<string> {
  const folder = await newFolder();
  await mkdir(join(folder, "assets"));
  await writeFile(join(folder, "index.html"), "<!doctype html>");
  await writeFile(join(folder, "assets", "main-0a1B2c3d.js"), "let a;");
  await writeFile(join(folder, "assets", "main-0a1B2c3d.js.gz"), "zipped");
  await writeFile(join(folder, "notes.txt"), "not of the page");
  return folder;
}

describe("the page", () => {
  it("is open, strict, and kept where its name says what is in it", async () => {
    const inspected = await inspect({ page: await pageFolder() });
    const page = await inspected.get("/", {});
    expect([page.status, await page.text()]).toEqual([200, "<!doctype html>"]);
    expect(page.headers.get("content-security-policy")).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
        "connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; " +
        "frame-ancestors 'none'",
    );
    expect(page.headers.get("x-content-type-options")).toBe("nosniff");
    expect(page.headers.get("referrer-policy")).toBe("no-referrer");
    expect(page.headers.get("cache-control")).toBe("no-cache");
    const plain = { "accept-encoding": "identity" };
    const script = await inspected.get("/assets/main-0a1B2c3d.js", plain);
    expect([script.headers.get("content-type"), await script.text()]).toEqual([
      "text/javascript; charset=utf-8",
      "let a;",
    ]);
    expect(script.headers.get("cache-control")).toContain("immutable");
  });

  it("comes packed where it is packed already", async () => {
    const app = createHttpApp({
      waybill: new Shop().waybill(),
      version: "1",
      tokens: [{ token: TOKEN }],
      inspector: { history: openAt(join(await newFolder(), "h.db")), page: await pageFolder() },
    });
    const headers = { host: "127.0.0.1", "accept-encoding": "gzip, br" };
    const asked = new Request("http://127.0.0.1/assets/main-0a1B2c3d.js", { headers });
    const answer = await app.fetch(asked);
    expect([answer.headers.get("content-encoding"), await answer.text()]).toEqual([
      "gzip",
      "zipped",
    ]);
  });

  it("gives away nothing else, and answers to no other name", async () => {
    const inspected = await inspect({ page: await pageFolder() });
    for (const path of ["/notes.txt", "/..%2f..%2fetc/passwd", "/assets/", "/nothing.js"]) {
      expect([path, (await inspected.get(path, {})).status]).toEqual([path, 404]);
    }
    const foreign = await inspected.get("/", { "sec-fetch-site": "cross-site" });
    expect(foreign.status).toBe(403);
    const opened = { "sec-fetch-site": "cross-site", "sec-fetch-dest": "document" };
    expect((await inspected.get("/", opened)).status).toBe(200);
    const asked = await inspected.get("/v1/inspect/calls", { ...AUTHORISED, ...opened });
    expect(asked.status).toBe(403);
  });
});
