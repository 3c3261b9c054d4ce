import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { AUTHORISED, execute, inspect, newFolder, openAt } from "../fixtures/inspected.ts";
import type { Inspected } from "../fixtures/inspected.ts";
import { Shop } from "../fixtures/shop.ts";
import { createHttpApp } from "../index.ts";

describe("access to the inspector", () => {
  it.each([
    ["no token", {}],
    ["a wrong token", { authorization: "Bearer wrong" }],
  ])("the inspector refuses clients with %s", async (_what, headers: Record<string, string>) => {
    const inspected = await inspect();
    const paths = [
      "calls",
      "calls/x",
      "events",
      "capabilities/item.view",
      "sources",
      "totals",
      "approvals",
    ];
    for (const path of paths) {
      const answer = await inspected.get(`/v1/inspect/${path}`, headers);
      expect([path, answer.status]).toEqual([path, 401]);
      expect(await answer.json()).toMatchObject({ ok: false, error: { code: "AUTH" } });
    }
  });

  it("the inspector cannot be enabled on a server without tokens", async () => {
    const history = openAt(join(await newFolder(), "history.db"));
    const waybill = new Shop().waybill();
    expect(() => createHttpApp({ waybill, version: "1", inspector: { history } })).toThrow(
      "The inspector needs tokens",
    );
  });

  it("only callers with the scope of the inspector can use the inspector", async () => {
    const history = openAt(join(await newFolder(), "history.db"));
    const tokens = [
      { token: "agent-token", identity: { id: "agent", scopes: ["staff"] } },
      { token: "person-token", identity: { id: "person", scopes: ["page"] } },
    ];
    const app = createHttpApp({
      waybill: new Shop().waybill(),
      version: "1",
      tokens,
      inspector: { history, scope: "page" },
    });
    const ask = async (token: string, path: string, method = "GET"): Promise<number> => {
      const headers = { host: "127.0.0.1", authorization: `Bearer ${token}` };
      const request = new Request(`http://127.0.0.1/v1/inspect/${path}`, { method, headers });
      return (await app.fetch(request)).status;
    };
    for (const path of ["calls", "approvals", "sources"]) {
      expect([await ask("agent-token", path), await ask("person-token", path)]).toEqual([403, 200]);
    }
    expect(await ask("agent-token", "approvals/ap_1", "POST")).toBe(403);
  });

  it("a server without an inspector returns 404 for its paths", async () => {
    const app = createHttpApp({ waybill: new Shop().waybill(), version: "1" });
    const request = new Request("http://127.0.0.1/v1/inspect/calls", {
      headers: { host: "127.0.0.1" },
    });
    expect((await app.fetch(request)).status).toBe(404);
  });
});

describe("calls in the inspector", () => {
  it("the inspector lists calls newest first, filtered and page by page", async () => {
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

  it("the inspector's detail of a call has a command and code to repeat the call", async () => {
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

  it("the inspector's detail of a call of 5 MB shows a part of the call and its size", async () => {
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

  it("the inspector's detail of a call has the call's options, and so do the command and code to repeat the call", async () => {
    const inspected = await inspect();
    const options = { select: ["title"], max_tokens: 500 };
    await execute(inspected, "item.view", { params: { id: 1 }, options });
    await inspected.history.flush();
    const [call] = (await inspected.history.calls()).calls;
    expect(await inspected.json(`/v1/inspect/calls/${call!.request_id}`)).toMatchObject({
      options,
      command: `waybill run item.view --input '{"id":1}' --select 'title' --max-tokens '500'`,
      code: `await waybill.execute("item.view", {\n  "id": 1\n}, {"select":["title"],"max_tokens":500});`,
    });
  });

  it("the inspector's detail of a chain has a command to repeat the chain", async () => {
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

  it("a destructive call from the inspector needs the approval that the refusal of the call contains", async () => {
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

async function answerApproval({ url }: Inspected, id: string, body: object, headers = AUTHORISED) {
  const response = await fetch(`${url}/v1/inspect/approvals/${id}`, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json", origin: url },
    body: JSON.stringify(body),
  });
  return response.status;
}

describe("approvals in the inspector", () => {
  it("the inspector lists approvals without their token, and each can be answered once", async () => {
    const inspected = await inspect();
    const call = { params: { id: 1 } };
    const refused = await execute(inspected, "item.purge", call);
    const id = String(refused.error?.details?.["approval"]);
    const listed = await inspected.json("/v1/inspect/approvals");
    expect(listed).toMatchObject({
      approvals: [{ id, capability_id: "item.purge", params: '{"id":1}', state: "waiting" }],
    });
    const [, secret] = String(refused.error?.details?.["approve"]).split(".");
    expect(JSON.stringify(listed)).not.toContain(secret);
    expect(await answerApproval(inspected, id, { allow: "yes" })).toBe(400);
    expect(
      await answerApproval(inspected, id, { allow: true }, { authorization: "Bearer wrong" }),
    ).toBe(401);
    expect((await execute(inspected, "item.purge", call)).ok).toBe(false);
    expect(await answerApproval(inspected, id, { allow: true })).toBe(200);
    expect((await execute(inspected, "item.purge", call)).ok).toBe(true);
    expect((await execute(inspected, "item.purge", call)).ok).toBe(false);
  });

  it("the inspector returns 404 for an answer to an approval that does not exist", async () => {
    const inspected = await inspect();
    expect(await answerApproval(inspected, "ap_none", { allow: true })).toBe(404);
  });
});

describe("other parts of the inspector", () => {
  it("the inspector shows a capability with its schemas and the state of its routes", async () => {
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

  it("the inspector shows each source with its state and the results of its calls", async () => {
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
          calls: 0,
          errors: 0,
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

  it("the inspector shows totals by capability and route", async () => {
    const inspected = await inspect();
    await execute(inspected, "item.view", { params: { id: 1 } });
    await inspected.history.flush();
    const totals = await inspected.json("/v1/inspect/totals?buckets=3");
    expect(totals).toMatchObject({
      capabilities: [{ capability_id: "item.view", calls: 1, errors: 0 }],
      routes: [{ route: "local", calls: 1 }],
    });
  });

  it("the inspector shows the picture of a code base, if the server has one", async () => {
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
