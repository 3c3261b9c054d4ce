import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { openHistory } from "@waybill/state";
import { parseBrief } from "@waybill/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { jsonOf, makeWorld } from "../fixtures/world.ts";

describe("waybill run", () => {
  it("waybill run prints the envelope in one line", async () => {
    const world = await makeWorld(onTestFinished);
    const ended = await world.run(["run", "item.view", "id=3", "full=true"]);
    expect(ended.code).toBe(0);
    expect(ended.stderr).toBe("");
    expect(ended.stdout).toMatch(/^\{.*\}\n$/);
    expect(jsonOf(ended)).toEqual({
      ok: true,
      data: { id: 3, title: "Item 3 of a long list", full: true },
      error: null,
      meta: { capability_id: "item.view", route_used: "rest", reason: "CARD_PREFERRED" },
    });
  });

  it.each([
    [
      ["item.view", "id=3", "full=true", "--select", "title"],
      0,
      { data: { title: "Item 3 of a long list" } },
    ],
    [
      ["item.view", "id=3", "full=true", "--select", '["title", "id"]'],
      0,
      { data: { id: 3, title: "Item 3 of a long list" } },
    ],
    [["item.view", "id=3", "full=true", "--select", "[]"], 0, { data: { id: 3, full: true } }],
    [["item.view", "id=404"], 1, { error: { code: "NOT_FOUND" } }],
    [["item.view", "id=x"], 1, { error: { code: "VALIDATION" } }],
    [["item.create", "title=a", "--select", "id"], 0, { data: { id: 1 } }],
    [[], 2, { error: { code: "VALIDATION" } }],
    [["item.view", "id=3", "--selct", "title"], 2, { error: { code: "VALIDATION" } }],
  ])("waybill run --brief answers %j in brief text", async (words, code, answer) => {
    const world = await makeWorld(onTestFinished);
    const ended = await world.run(["run", ...words, "--brief"]);
    expect([ended.code, parseBrief(ended.stdout)]).toMatchObject([code, answer]);
  });

  it("waybill run --trace prints the full envelope, even with --brief", async () => {
    const world = await makeWorld(onTestFinished);
    const traced = await world.run(["run", "item.view", "id=3", "--brief", "--trace"]);
    expect(jsonOf(traced)).toMatchObject({ ok: true, meta: { attempts: [{}], timings: {} } });
    const wrong = await world.run(["run", "--brief", "--trace"]);
    expect(jsonOf(wrong)).toMatchObject({ ok: false, data: null });
  });

  it("waybill run --brief prints equal text on a terminal and to a program", async () => {
    const world = await makeWorld(onTestFinished);
    const io = { isTTY: true, env: { ...world.env, NO_COLOR: "1" } };
    const words = ["run", "item.view", "id=3", "full=true", "--brief", "--select", "id"];
    expect((await world.run(words, io)).stdout).toBe('{"id":3}\n');
    const bad = await world.run(["run", "item.view", "id=404", "--brief"], io);
    expect(bad.stdout).toMatch(/^!NOT_FOUND [^\n]+\n$/u);
  });

  it("waybill run selects the output fields that follow the inputs", async () => {
    const world = await makeWorld(onTestFinished);
    const { stdout } = await world.run(["run", "item.view", "id=3", "full=true", "id", "--brief"]);
    expect(stdout).toBe('{"id":3}\n');
    const both = ["run", "item.view", "id=3", "full=true", "id", "--select", "full", "--brief"];
    expect((await world.run(both)).stdout).toBe('{"id":3,"full":true}\n');
  });

  it.each([
    [["--id", "3", "--full"]],
    [["--id=3", "--full"]],
    [["--full", "id=3"]],
    [["--full", "--pretty", "--id", "3"]],
  ])("waybill run takes %j as inputs", async (words) => {
    const world = await makeWorld(onTestFinished);
    const { stdout } = await world.run(["run", "item.view", "--brief", ...words]);
    expect(JSON.parse(stdout)).toMatchObject({ id: 3, full: true });
  });

  it("waybill run refuses an unknown option that is not an input, and sends nothing", async () => {
    const world = await makeWorld(onTestFinished);
    const { code, stdout } = await world.run(["run", "item.view", "--id", "3", "--titel", "x"]);
    expect([code, world.upstream.seen]).toEqual([1, []]);
    expect(stdout).toContain("titel is not an input");
  });

  it.each([
    ["a word that is not an output field", ["item.create", "title=a", "urgent"]],
    [
      "an unknown word beside an output field",
      ["item.create", "title=a", "id", "urgent", "--brief"],
    ],
  ])("waybill run sends no write with %s", async (_, words) => {
    const world = await makeWorld(onTestFinished);
    const ended = await world.run(["run", ...words]);
    expect(ended.code).toBe(2);
    expect(ended.stdout).toContain("urgent is neither an input of item.create nor a field");
    expect(ended.stdout).toContain("fields are id");
    expect(world.upstream.seen).toEqual([]);
  });

  it("waybill run accepts output fields after the inputs of a write", async () => {
    const world = await makeWorld(onTestFinished);
    const { stdout } = await world.run(["run", "item.create", "title=a", "id", "--brief"]);
    expect(stdout).toBe('{"id":1}\n');
    expect(world.upstream.seen).toHaveLength(1);
  });

  it("waybill run --pretty indents the JSON", async () => {
    const world = await makeWorld(onTestFinished);
    const { stdout } = await world.run(["run", "item.view", "id=3", "--pretty"]);
    expect(stdout).toMatch(/^\{\n {2}"ok": true,\n/);
  });

  it.each([
    ["has TERM=dumb", { TERM: "dumb" }],
    ["has NO_COLOR set", { NO_COLOR: "1" }],
  ])("waybill run prints a plain tree on a terminal that %s", async (_name, env) => {
    const world = await makeWorld(onTestFinished);
    const io = { isTTY: true, env: { ...world.env, ...env } };
    const { stdout } = await world.run(["run", "item.view", "id=3", "full=true"], io);
    expect(stdout).toBe(
      [
        "ok",
        "data",
        "  id     3",
        "  title  Item 3 of a long list",
        "  full   true",
        "meta",
        "  capability_id  item.view",
        "  route_used     rest",
        "  reason         CARD_PREFERRED",
        "",
      ].join("\n"),
    );
  });

  it("waybill run colours the tree, and a failure in red", async () => {
    const world = await makeWorld(onTestFinished);
    const good = await world.run(["run", "item.view", "id=3"], { isTTY: true });
    const bad = await world.run(["run", "item.view", "id=404"], { isTTY: true });
    expect(good.stdout).toContain("\u001b[32mok\u001b[0m\n\u001b[36mdata");
    expect(bad.stdout).toContain("\u001b[31mfailed\u001b[0m\n\u001b[36merror");
    expect(bad.stdout).toContain("NOT_FOUND");
  });

  it.each([
    ["JSON", ['{"id": 3, "note": "a"}'], undefined],
    ["stdin", ["-"], '{"id": 3, "note": "a"}'],
    ["a file", ["@input.json"], undefined],
    ["stdin with a byte order mark", ["-"], '\uFEFF{"id": 3, "note": "a"}'],
    ["key=value over JSON", ['{"id": 9, "note": "a"}', "id=3"], undefined],
  ])("waybill run takes its input from %s", async (_name, [source, ...pairs], input) => {
    const world = await makeWorld(onTestFinished);
    await world.write("project/input.json", { id: 3, note: "a" });
    const argv = ["run", "item.view", "--input", source!, ...pairs];
    const ended = await world.run(argv, input === undefined ? {} : { input });
    expect(jsonOf(ended).data["id"]).toBe(3);
    expect(world.upstream.seen[0]?.url).toBe("/items/3?note=a");
  });

  it("waybill run --pages prints a list page by page, one answer for each line", async () => {
    const world = await makeWorld(onTestFinished);
    const listing = {
      operationId: "list",
      parameters: [{ name: "offset", in: "query", schema: { type: "integer" } }],
      responses: { 200: { description: "Some", content: { "application/json": {} } } },
    };
    const server = createServer((request, response) => {
      const from = Number(new URL(request.url ?? "", "http://h").searchParams.get("offset") ?? 0);
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ items: [from, from + 1], total: 6 }));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await world.write("project/list.json", {
      openapi: "3.1.0",
      info: { title: "List", version: "1" },
      servers: [{ url }],
      paths: { "/items": { get: listing } },
    });
    const items = { kind: "openapi", document: "list.json", allow_private: true };
    await world.writeConfig({ sources: { items } });
    const read = async (...flags: string[]) =>
      (await world.run(["run", "items.list", ...flags])).stdout
        .trim()
        .split("\n")
        .map((stdout) => jsonOf({ stdout }));
    const all = await read("--pages", "9");
    expect(all.map(({ data }) => data["items"])).toEqual([
      [0, 1],
      [2, 3],
      [4, 5],
    ]);
    const [first, ...rest] = await read("--pages", "1");
    expect([first?.meta["pagination"], rest]).toMatchObject([{ has_next_page: true }, []]);
    expect(await read()).toHaveLength(1);
    expect((await world.run(["run", "items.list", "--pages", "0"])).stdout).toContain("max_pages");
  });

  it("waybill run reads a repeated key as a list", async () => {
    const world = await makeWorld(onTestFinished);
    const ended = await world.run(["run", "item.view", "id=1", "id=2"]);
    expect(jsonOf(ended).error).toMatchObject({
      code: "VALIDATION",
      message: expect.stringContaining("/id must be integer, not array") as unknown,
    });
    expect(world.upstream.seen).toEqual([]);
  });

  it("waybill run keeps everything after the first = of an input", async () => {
    const world = await makeWorld(onTestFinished);
    await world.run(["run", "item.view", "id=3", "note=a=b c"]);
    expect(world.upstream.seen[0]?.url).toBe("/items/3?note=a%3Db%20c");
  });

  it.each([
    ["binary data", Uint8Array.of(0xff, 0xfe, 0x00, 0x80), "stdin is not UTF-8 text"],
    ["white space", " \n ", "stdin is empty"],
    ["JSON that is cut off", '{"id":', "stdin is not JSON"],
    ["a duplicate name", '{"id": 1, "id": 2}', 'stdin has the name "id" twice'],
    ["NaN", '{"id": NaN}', "stdin is not JSON"],
    ["very deep JSON", "[".repeat(100_000) + "]".repeat(100_000), "nests deeper than"],
  ])("waybill run refuses %s on stdin", async (_name, input, message) => {
    const world = await makeWorld(onTestFinished);
    const ended = await world.run(["run", "item.view", "--input", "-"], { input });
    expect(ended.code).toBe(2);
    expect(jsonOf(ended).error.message).toContain(message);
  });

  it("waybill run stops waiting for stdin when interrupted", async () => {
    const world = await makeWorld(onTestFinished);
    const silent = { [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => {}) }) };
    const signal = AbortSignal.timeout(50);
    const ended = await world.run(["run", "item.view", "--input", "-"], { stdin: silent, signal });
    expect(ended.code).toBe(1);
    expect(jsonOf(ended).error.code).toBe("CANCELLED");
  });

  it.each([
    ["an unknown capability", ["item.vew", "id=1"], "NOT_FOUND"],
    ["an item that does not exist", ["item.view", "id=404"], "NOT_FOUND"],
    ["a bad input", ["item.view", "id=x"], "VALIDATION"],
    ["a misspelt input", ["item.view", "idd=1"], "VALIDATION"],
    ["a token budget that is too small", ["item.view", "id=1", "--max-tokens", "10"], "VALIDATION"],
    ["a route that the capability lacks", ["item.list", "--route", "graphql"], "VALIDATION"],
    ["a deadline that is too short", ["item.wait", "--deadline-ms", "50"], "TIMEOUT"],
  ])("waybill run exits with 1 for %s", async (_name, argv, code) => {
    const world = await makeWorld(onTestFinished);
    const ended = await world.run(["run", ...argv]);
    expect(ended.code).toBe(1);
    expect(jsonOf(ended)).toMatchObject({ ok: false, data: null, error: { code } });
  });

  it("waybill run passes its options to the call", async () => {
    const world = await makeWorld(onTestFinished);
    const selected = await world.run(["run", "item.view", "id=3", "--select", "id", "--trace"]);
    expect(jsonOf(selected).data).toEqual({ id: 3 });
    expect(jsonOf(selected).meta).toHaveProperty("timings");
    const queried = await world.run(["run", "item.list", "--query", "length(items)"]);
    expect(jsonOf(queried).data).toBe(300);
    const included = await world.run(["run", "item.view", "id=3", "--include", "more"]);
    expect(included.stdout).toContain("more");
    const paged = await world.run(["run", "item.view", "id=3", "--page", "x"]);
    expect(paged.code).toBe(1);
  });

  it("waybill run stores a cut result, so that result.read can read the rest", async () => {
    const world = await makeWorld(onTestFinished);
    const cut = jsonOf(await world.run(["run", "item.list", "--max-tokens", "500"]));
    expect(cut.meta["truncated"]).toBe(true);
    const handle = `handle=${String(cut.meta["handle"])}`;
    const read = await world.run(["run", "result.read", handle, "path=items.299"]);
    expect(jsonOf(read).data["value"]).toEqual({ id: 299, title: "Item 299 of a long list" });
    const lost = await world.run(["run", "result.read", "handle=AAAAAAAAAAAAAAAAAAAAAA"]);
    expect(jsonOf(lost).error.code).toBe("NOT_FOUND");
  });

  it("waybill run --dry-run shows the request without the token", async () => {
    const world = await makeWorld(onTestFinished);
    await world.writeUserConfig({
      sources: {
        demo: { ...world.source({ token: { env: "DEMO" } }), folder: `${world.project}/cards` },
      },
    });
    await world.writeConfig({});
    const env = { ...world.env, DEMO: "very-secret-token" };
    const dry = await world.run(["run", "item.create", "title=very-secret-token", "--dry-run"], {
      env,
    });
    expect(dry.stdout).not.toContain("very-secret-token");
    expect(jsonOf(dry).data["requests"]).toMatchObject([
      { route: "rest", method: "POST", url: `${world.upstream.url}/items` },
    ]);
    expect(world.upstream.seen).toEqual([]);
    await world.run(["run", "item.create", "title=a"], { env });
    expect(world.upstream.seen[0]?.authorization).toBe("Bearer very-secret-token");
  });

  it("waybill run needs an approval for a destructive call, and accepts it", async () => {
    const world = await makeWorld(onTestFinished);
    const refused = jsonOf(await world.run(["run", "item.delete", "id=3"]));
    expect(refused.error.code).toBe("POLICY");
    const approve = String(refused.error.details["approve"]);
    expect(world.upstream.seen).toEqual([]);
    const other = await world.run(["run", "item.delete", "id=4", "--approve", approve]);
    expect(jsonOf(other).error.code).toBe("POLICY");
    const approved = await world.run(["run", "item.delete", "id=3", "--approve", approve]);
    expect(approved.code).toBe(0);
    expect(world.upstream.seen).toHaveLength(1);
  });

  it("waybill run tells a person at a terminal how to approve a destructive call", async () => {
    const world = await makeWorld(onTestFinished);
    const { stderr } = await world.run(["run", "item.delete", "id=3"], { isTTY: true });
    const [, approve = ""] = /repeat the command with --approve (\S+)/u.exec(stderr) ?? [];
    const approved = await world.run(["run", "item.delete", "id=3", "--approve", approve]);
    expect(approved.code).toBe(0);
  });

  it("waybill run replays a keyed write instead of sending it again", async () => {
    const world = await makeWorld(onTestFinished);
    const argv = ["run", "item.create", "title=a", "--idempotency-key", "k1"];
    const first = jsonOf(await world.run(argv));
    const second = jsonOf(await world.run(argv));
    expect(second.data).toEqual(first.data);
    expect(second.meta["replayed"]).toBe(true);
    expect(world.upstream.seen).toHaveLength(1);
  });

  it("waybill run records calls with --record or the history setting, without secrets", async () => {
    const world = await makeWorld(onTestFinished);
    const file = join(world.state, "history.db");
    const titles = async (): Promise<unknown[]> => {
      const history = openHistory({ path: file, redact: (value) => value });
      const { calls } = await history.calls();
      const kept = await Promise.all(calls.map(({ request_id }) => history.call(request_id)));
      await history.close();
      const params = kept.flatMap((call) => (call === undefined ? [] : [call.params]));
      return params.map((given) => (given as { title: string }).title).toReversed();
    };
    await world.run(["run", "item.create", "title=a"]);
    await expect(readFile(file)).rejects.toThrow("ENOENT");
    const env = { ...world.env, DEMO: "very-secret-token" };
    const source = world.source({ token: { env: "DEMO" } });
    await world.writeConfig({ sources: { demo: source } });
    await world.run(["run", "item.create", "title=very-secret-token", "--record"], { env });
    await world.run(["run", "item.create", "title=b"], { env });
    await world.writeConfig({ sources: { demo: source }, history: "on" });
    await world.run(["run", "item.create", "title=c"], { env });
    expect(await titles()).toEqual([expect.not.stringContaining("very-secret"), "c"]);
  });

  it("waybill run refuses --record with --via, because workers record their calls", async () => {
    const world = await makeWorld(onTestFinished);
    const { code, stdout } = await world.run(["run", "a.b", "--record", "--via", "nats://x"]);
    expect([code, stdout]).toEqual([2, expect.stringContaining("The workers record")]);
  });

  it("a damaged journal causes a warning for a write without a key, and refuses a write with a key", async () => {
    const world = await makeWorld(onTestFinished);
    await world.write("home/.local/state/waybill/journal.db", "not a database ".repeat(500));
    const plain = jsonOf(await world.run(["run", "item.create", "title=a"]));
    expect(plain.ok).toBe(true);
    expect(plain.meta["warnings"]).toEqual([
      expect.stringMatching(/^The journal of writes is damaged/),
    ]);
    const keyed = ["run", "item.create", "title=a", "--idempotency-key", "k1"];
    expect(jsonOf(await world.run(keyed)).error.code).toBe("NOT_READY");
    expect(world.upstream.seen).toHaveLength(1);
  });
});
