import { execFile } from "node:child_process";
import { X509Certificate } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { get } from "node:https";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { Client, NOON, startClient } from "./fixtures/client.ts";
import { TOKENS, createIssue, octoWorld, startGithubEmulator } from "./index.ts";
import type { EmulatorOptions, GithubEmulator } from "./index.ts";

const open: GithubEmulator[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});

async function start(options: EmulatorOptions = {}): Promise<Client> {
  const client = await startClient(options);
  open.push(client.emulator);
  return client;
}

describe("startGithubEmulator", () => {
  it("startGithubEmulator gives each emulator its own copy of the initial data", async () => {
    const [one, two] = [await start(), await start()];
    const before = await one.rest("GET /repos/octo/hello/issues?state=all");
    expect(await two.rest("GET /repos/octo/hello/issues?state=all")).toMatchObject({
      body: JSON.parse(
        JSON.stringify(before.body).replaceAll(one.emulator.url, two.emulator.url),
      ) as object,
    });
    await one.rest("POST /repos/octo/hello/issues", { title: "Only here" });
    expect(one.emulator.applied()).toEqual({ createIssue: 1 });
    expect(two.emulator.applied()).toEqual({});
    expect((await two.rest("GET /repos/octo/hello/issues/13")).status).toBe(404);
  });

  it("the GitHub emulator restores its initial data at an unchanged address when it is reset", async () => {
    const client = await start();
    const { emulator } = client;
    const before = await client.rest("GET /repos/octo/hello/issues?state=all");
    await client.rest("POST /repos/octo/hello/issues", { title: "Gone soon" });
    emulator.faults.inject({ kind: "status", status: 500, times: 5 });
    emulator.reset();
    expect([emulator.applied(), emulator.requests]).toEqual([{}, []]);
    const after = await client.rest("GET /repos/octo/hello/issues?state=all");
    expect(after.body).toEqual(before.body);
    expect(after.headers.get("x-ratelimit-used")).toBe("1");
  });

  it("startGithubEmulator returns the emulator's address as the value for WAYBILL_GITHUB", async () => {
    const { emulator } = await start();
    expect(emulator.env).toBe(emulator.url);
    expect(emulator.socketPath).toBeUndefined();
  });

  it("startGithubEmulator rejects a port that is taken", async () => {
    const { emulator } = await start();
    const port = Number(new URL(emulator.url).port);
    await expect(startGithubEmulator({ port })).rejects.toThrow("EADDRINUSE");
  });

  it("startGithubEmulator accepts other initial data and another clock", async () => {
    const emulator = await startGithubEmulator({
      clock: () => NOON,
      world: (store) => {
        const tokens = octoWorld(store);
        const [octocat] = store.users;
        const [hello] = store.repositories;
        for (let count = 0; count < 300; count += 1) {
          createIssue(store, octocat!, hello!, { title: `More ${count}` });
        }
        octocat!.name = "Someone else";
        return tokens;
      },
    });
    open.push(emulator);
    const client = new Client(emulator);
    expect(emulator.applied()).toEqual({});
    expect((await client.rest("GET /user")).body).toMatchObject({ name: "Someone else" });
    const { body } = await client.rest("POST /repos/octo/hello/issues", { title: "Now" });
    expect(body).toMatchObject({ created_at: "2026-02-01T12:00:00Z" });
    const { headers } = await client.rest("GET /repos/octo/hello/issues?per_page=3&page=50");
    expect(headers.get("link")).toContain('page=103>; rel="last"');
  });

  it("the GitHub emulator calls onApplied after its store has each mutation", async () => {
    const told: [string, string | undefined][] = [];
    const emulator = await startGithubEmulator({
      onApplied: (name, { repositories: [hello] }) =>
        told.push([name, [...hello!.issues.values()].at(-1)?.title]),
    });
    open.push(emulator);
    await new Client(emulator).rest("POST /repos/octo/hello/issues", { title: "Now" });
    expect(told).toEqual([["createIssue", "Now"]]);
  });

  it("the GitHub emulator finishes a workflow run when the test asks for that", async () => {
    const client = await start();
    const read = async () => (await client.rest("GET /repos/octo/hello/actions/runs/1004")).body;
    expect(await read()).toMatchObject({ status: "in_progress", conclusion: null });
    client.emulator.finishRun(1004, "FAILURE");
    expect(await read()).toMatchObject({ status: "completed", conclusion: "failure" });
    expect(() => client.emulator.finishRun(1)).toThrow("There is no workflow run 1");
  });

  it("the GitHub emulator listens on a Unix socket as github.com", async () => {
    const folder = mkdtempSync(join(tmpdir(), "waybill-emulator-"));
    const socket = join(folder, "s");
    const { emulator } = await start({ socket });
    expect([emulator.env, emulator.url]).toEqual([socket, "https://api.github.com"]);
    const headers = { host: "api.github.com", authorization: `token ${TOKENS.octocat}` };
    const text = await new Promise<string>((resolve, reject) => {
      request(
        { socketPath: socket, path: "/repos/octo/hello/labels?per_page=1", headers },
        (response) => {
          resolve(String(response.headers["link"]));
          response.resume();
        },
      )
        .once("error", reject)
        .end();
    });
    expect(text).toContain(
      '<https://api.github.com/repos/octo/hello/labels?per_page=1&page=2>; rel="next"',
    );
    rmSync(folder, { recursive: true });
  });

  it("the GitHub emulator serves TLS with its own certificate authority on the paths of an Enterprise Server", async () => {
    const { emulator } = await start({ https: true });
    const ca = emulator.ca!;
    expect(new X509Certificate(ca).ca).toBe(true);
    const read = (path: string, trusted?: string) =>
      new Promise<string>((resolve, reject) => {
        const headers = { authorization: `token ${TOKENS.octocat}` };
        get(
          `${emulator.url}${path}`,
          { headers, ...(trusted === undefined ? {} : { ca: trusted }) },
          (response) => {
            let text = "";
            response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
            response.once("end", () => resolve(text));
          },
        ).once("error", reject);
      });
    expect(JSON.parse(await read("/api/v3/repos/octo/hello", ca))).toMatchObject({
      url: `${emulator.url}/api/v3/repos/octo/hello`,
      html_url: `${emulator.url}/octo/hello`,
    });
    await expect(read("/api/v3/user")).rejects.toThrow(/certificate/);
  });

  it("the GitHub emulator writes a CA certificate that openssl reads", async () => {
    const { emulator } = await start({ https: true });
    const text = await new Promise<string>((resolve, reject) => {
      const child = execFile("openssl", ["x509", "-noout", "-text"], (error, stdout) =>
        error ? reject(error) : resolve(stdout),
      );
      child.stdin?.end(emulator.ca);
    });
    expect(text).toContain("CA:TRUE");
  });
});

describe("HTTP behaviour of the emulator", () => {
  it("the GitHub emulator sends GitHub's headers and answers 304 to a request with a known ETag", async () => {
    const client = await start();
    const { headers } = await client.rest("GET /repos/octo/hello");
    const etag = headers.get("etag")!;
    expect(etag).toMatch(/^W\/"[0-9a-f]{64}"$/);
    expect(headers.get("x-oauth-scopes")).toContain("repo");
    const again = await client.rest("GET /repos/octo/hello", undefined, {
      headers: { "if-none-match": etag },
    });
    expect([again.status, again.body]).toEqual([304, undefined]);
    await client.rest("PATCH /repos/octo/hello", { description: "Changed" });
    const changed = await client.rest("GET /repos/octo/hello", undefined, {
      headers: { "if-none-match": etag },
    });
    expect(changed.status).toBe(200);
  });

  it("the GitHub emulator counts requests against rate limits, and refuses requests over a limit", async () => {
    const client = await start({ rateLimits: { core: 2, graphql: 1 } });
    const left = async () => {
      const { status, headers } = await client.rest("GET /user");
      return [status, headers.get("x-ratelimit-remaining")];
    };
    expect([await left(), await left(), await left()]).toEqual([
      [200, "1"],
      [200, "0"],
      [403, "0"],
    ]);
    expect((await client.graphql("{ viewer { login } }")).data).toEqual({
      viewer: { login: "octocat" },
    });
    expect((await client.graphql("{ viewer { login } }")).errors).toMatchObject([
      { type: "RATE_LIMITED" },
    ]);
    const { body } = await client.rest("GET /rate_limit");
    expect(body).toMatchObject({ resources: { core: { limit: 2, used: 2, remaining: 0 } } });
  });

  it("the GitHub emulator distinguishes valid, revoked, missing and read-only tokens", async () => {
    const client = await start();
    const status = async (token: string, line: string) =>
      (await client.rest(line, {}, { token })).status;
    expect(await status(TOKENS.monalisa, "POST /repos/octo/hello/forks")).toBe(202);
    expect(await status(TOKENS.revoked, "POST /repos/octo/hello/forks")).toBe(401);
    expect(await status("made up", "POST /repos/octo/hello/forks")).toBe(401);
    expect(await status(TOKENS.readOnly, "POST /repos/octo/hello/forks")).toBe(403);
    const none = await fetch(`${client.emulator.url}/user`);
    expect([none.status, await none.json()]).toEqual([
      401,
      expect.objectContaining({ message: "Requires authentication" }),
    ]);
  });

  it("the GitHub emulator redirects from the old name of a repository to the new name", async () => {
    const client = await start();
    const { status, headers, body } = await client.rest("GET /repos/octo/hello-world/issues/1");
    expect([status, headers.get("location")]).toEqual([
      301,
      `${client.emulator.url}/repositories/1001/issues/1`,
    ]);
    expect(body).toMatchObject({ message: "Moved Permanently" });
    const followed = await client.send("GET", "/repos/octo/hello-world/issues/1", undefined, {
      redirect: "follow",
    });
    expect(await followed.json()).toMatchObject({ number: 1 });
    const write = await client.rest("POST /repos/octo/hello-world/issues", { title: "T" });
    expect(write.status).toBe(307);
  });

  it("the GitHub emulator serves logs on another port, which refuses requests with a token", async () => {
    const client = await start();
    const { status, headers } = await client.rest("GET /repos/octo/hello/actions/jobs/1004/logs");
    const location = headers.get("location")!;
    expect(status).toBe(302);
    expect(new URL(location).port).not.toBe(new URL(client.emulator.url).port);
    expect(await (await fetch(location)).text()).toContain("AssertionError");
    const withToken = await fetch(location, { headers: { authorization: "token x" } });
    expect(withToken.status).toBe(400);
  });

  it("the GitHub emulator returns 501 for an operation that it does not serve and 404 for an unknown path", async () => {
    const client = await start();
    const cannot = await client.send("GET", "/repos/octo/hello/codespaces");
    expect([cannot.status, await cannot.json()]).toEqual([
      501,
      expect.objectContaining({
        message: "The embedded GitHub does not answer GET /repos/octo/hello/codespaces",
      }),
    ]);
    expect((await client.send("GET", "/no/such/thing")).status).toBe(404);
    expect((await client.send("POST", "/repos/octo/hello/issues", "{")).status).toBe(400);
  });

  it("the GitHub emulator accepts absolute URLs in request lines, as clients of a proxy send them", async () => {
    const { emulator } = await start();
    const { hostname, port } = new URL(emulator.url);
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const headers = { authorization: `token ${TOKENS.octocat}` };
      request({ hostname, port, path: "http://api.github.localhost/user", headers }, (response) => {
        resolve(response.statusCode);
        response.resume();
      })
        .once("error", reject)
        .end();
    });
    expect(status).toBe(200);
  });
});
