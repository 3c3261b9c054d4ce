import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startClient } from "../fixtures/client.ts";
import type { Client } from "../fixtures/client.ts";

const ISSUES = "/repos/octo/hello/issues";

let client: Client;
beforeEach(async () => {
  client = await startClient();
});
afterEach(async () => {
  await client.emulator.close();
});

const create = (): Promise<Response> => client.send("POST", ISSUES, { title: "T" });

async function statuses(...sent: readonly Promise<Response>[]): Promise<number[]> {
  return (await Promise.all(sent)).map(({ status }) => status);
}

describe("emulator faults", () => {
  it("the GitHub emulator drops a connection before or after the request is applied, if a drop fault is injected", async () => {
    const { faults } = client.emulator;
    faults.inject({ kind: "drop" });
    await expect(create()).rejects.toThrow("fetch failed");
    expect(client.emulator.applied()).toEqual({});
    faults.inject({ kind: "drop", when: "after" });
    await expect(create()).rejects.toThrow("fetch failed");
    expect(client.emulator.applied()).toEqual({ createIssue: 1 });
    expect(client.emulator.requests.map(({ status }) => status)).toEqual([undefined, undefined]);
  });

  it("the GitHub emulator answers with an injected status, with or without applying the request", async () => {
    const { faults } = client.emulator;
    faults.inject({ kind: "status", status: 502, body: "<html>Bad gateway</html>", when: "after" });
    const response = await create();
    expect([response.status, response.headers.get("content-type"), await response.text()]).toEqual([
      502,
      "text/html",
      "<html>Bad gateway</html>",
    ]);
    faults.inject({ kind: "status", status: 503, headers: { "retry-after": "7" } });
    const busy = await create();
    expect([busy.status, busy.headers.get("retry-after")]).toEqual([503, "7"]);
    expect(await busy.json()).toMatchObject({ message: "Service Unavailable", status: "503" });
    expect(client.emulator.applied()).toEqual({ createIssue: 1 });
  });

  it("the GitHub emulator reports an injected rate limit as REST and GraphQL do", async () => {
    const { faults } = client.emulator;
    faults.inject({ kind: "rate-limit", limit: "primary", times: 2 });
    const rest = await create();
    expect([
      rest.status,
      rest.headers.get("x-ratelimit-remaining"),
      rest.headers.get("retry-after"),
    ]).toEqual([403, "0", null]);
    const graphql = await client.graphql("{ viewer { login } }");
    expect(graphql).toEqual({
      errors: [{ type: "RATE_LIMITED", message: "API rate limit exceeded for user ID 1001." }],
    });
    faults.inject({ kind: "rate-limit", limit: "secondary", retryAfter: 3 });
    const second = await create();
    expect([second.status, second.headers.get("retry-after")]).toEqual([403, "3"]);
    expect(await second.json()).toMatchObject({
      message: expect.stringContaining("secondary rate limit") as string,
    });
    expect(client.emulator.applied()).toEqual({});
  });

  it("the GitHub emulator sends an invalid body or cuts a response after some bytes, if that fault is injected", async () => {
    const { faults } = client.emulator;
    faults.inject({ kind: "garbage" });
    const garbage = await client.send("GET", ISSUES);
    expect([garbage.status, await garbage.text()]).toEqual([
      200,
      expect.stringContaining("<html>"),
    ]);
    faults.inject({ kind: "cut", bytes: 10 });
    const cut = await create();
    expect(cut.status).toBe(201);
    await expect(cut.text()).rejects.toThrow("terminated");
    expect(client.emulator.applied()).toEqual({ createIssue: 1 });
  });

  it("the GitHub emulator applies a fault only to matching requests, and only as many times as given", async () => {
    const { faults } = client.emulator;
    faults.inject({ kind: "status", status: 500, match: { operation: "createIssue" } });
    faults.inject({ kind: "status", status: 500, match: { operation: "Named" }, times: 2 });
    faults.inject({ kind: "status", status: 500, match: { method: "post", path: /\/issues$/ } });
    faults.inject({ kind: "status", status: 500, match: { path: "/user" } });
    const query = (text: string) => client.send("POST", "/graphql", { query: text });
    const mutation = `mutation { createIssue(input: {repositoryId: "x", title: "T"}) { issue { id } } }`;
    expect(await statuses(query(mutation))).toEqual([500]);
    expect(await statuses(query(mutation), query("{ viewer { login } }"))).toEqual([200, 200]);
    const named = "query Named { viewer { login } }";
    expect(await statuses(query(named), query(named), query(named))).toEqual([500, 500, 200]);
    expect(await statuses(client.send("GET", ISSUES), create())).toEqual([200, 500]);
    expect(await statuses(client.send("GET", "/user"))).toEqual([500]);
    faults.inject({ kind: "status", status: 500 });
    faults.clear();
    expect(await statuses(client.send("GET", "/user"))).toEqual([200]);
  });

  it("the GitHub emulator applies a write fault to the first write on REST or GraphQL, and logs which request was hit", async () => {
    const { faults, requests } = client.emulator;
    faults.inject({ kind: "drop", when: "after", match: { isWrite: true } });
    const query = "query { viewer { login } }";
    expect(await statuses(client.send("POST", "/graphql", { query }))).toEqual([200]);
    await expect(create()).rejects.toThrow("fetch failed");
    expect(await statuses(create())).toEqual([201]);
    expect(requests.map(({ isWrite, fault }) => [isWrite, fault])).toEqual([
      [false, undefined],
      [true, "drop"],
      [true, undefined],
    ]);
  });

  it("the GitHub emulator applies a fault with several match rules only to the first request that fits one of them", async () => {
    const match = [{ path: "/user" }, { operation: "viewer" }];
    client.emulator.faults.inject({ kind: "status", status: 502, match });
    const query = "{ viewer { login } }";
    expect(await statuses(client.send("GET", ISSUES))).toEqual([200]);
    expect(await statuses(client.send("POST", "/graphql", { query }))).toEqual([502]);
    expect(await statuses(client.send("GET", "/user"))).toEqual([200]);
  });

  it("the GitHub emulator ends a delayed request when the emulator closes", async () => {
    client.emulator.faults.inject({ kind: "delay", delayMs: 600_000 });
    const waiting = client.send("GET", "/user").catch((error: unknown) => error);
    while (client.emulator.requests.length === 0) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    await client.emulator.close();
    expect(await waiting).toMatchObject({ message: "fetch failed" });
  });
});
