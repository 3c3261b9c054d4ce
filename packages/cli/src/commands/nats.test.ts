import { once } from "node:events";
import { PassThrough } from "node:stream";
import { connectNats } from "@waybill/nats";
import { expect, it, onTestFinished } from "vitest";
import { describeWithServer, newService } from "../../../../test/support/nats.ts";
import { main } from "../cli.ts";
import { Program } from "../fixtures/program.ts";
import { jsonOf, makeWorld } from "../fixtures/world.ts";
import type { World } from "../fixtures/world.ts";

describeWithServer((server) => {
  interface Serving {
    readonly world: World;
    readonly said: string;
    readonly via: string;
    readonly stop: () => Promise<number>;
  }

  /** Runs a worker until it has printed what it serves; `stop` interrupts it, as Ctrl-C does. */
  async function serve(
    isTTY = false,
    env: Record<string, string> = {},
    more: readonly string[] = [],
  ): Promise<Serving> {
    const world = await makeWorld(onTestFinished);
    await world.writeUserConfig({ packs: ["graph"] });
    const service = newService();
    if ("KEY" in env) {
      const nats = { key: { env: "KEY" }, identity: { id: "ada", scopes: [] } };
      await world.writeUserConfig({ nats });
    }
    const words = ["serve", "nats", "--server", server().url, "--service", service];
    const interruption = new AbortController();
    const stdout = new PassThrough({ encoding: "utf8" });
    const ended = main({
      argv: [...words, ...more, ...("KEY" in env ? [] : ["--open"])],
      stdin: new PassThrough(),
      stdout,
      stderr: new PassThrough(),
      env: { ...world.env, ...env },
      cwd: world.project,
      isTTY,
      signal: interruption.signal,
    });
    const [said] = (await once(stdout, "data")) as [string];
    const stop = (): Promise<number> => {
      interruption.abort();
      return ended;
    };
    onTestFinished(async () => void (await stop()));
    return { world, said, via: `${server().url}/${service}`, stop };
  }

  it("waybill serve nats answers questions about code only with --root", async () => {
    const { world, via } = await serve(false, {}, ["--root", "."]);
    const other = await serve();
    const elsewhere = await makeWorld(onTestFinished);
    await world.write("project/src/a.ts", "export const a = 1;\n");
    const asked = ["run", "graph.search", "query=a.ts", "type=file", "--via"];
    expect(jsonOf(await elsewhere.run([...asked, other.via]))).toMatchObject({
      error: { code: "NOT_FOUND" },
    });
    expect(jsonOf(await elsewhere.run([...asked, via]))).toMatchObject({
      ok: true,
      data: { results: [{ path: "src/a.ts" }] },
      meta: { route_used: "local" },
    });
  });

  it("waybill run --via calls the capabilities that waybill serve nats serves", async () => {
    const { world, said, via, stop } = await serve();
    expect(JSON.parse(said)).toMatchObject({ identity: "nobody", operations: 7 });
    const elsewhere = await makeWorld(onTestFinished);
    await elsewhere.writeConfig({});
    const ended = await elsewhere.run(["run", "item.view", "id=3", "--via", via, "--trace"]);
    expect(jsonOf(ended)).toMatchObject({
      ok: true,
      data: { id: 3 },
      meta: { route_used: "rest", attempts: [{ route: "rest", status: "success" }] },
    });
    expect(world.upstream.seen).toHaveLength(1);
    expect(await stop()).toBe(0);
    const late = await elsewhere.run(["run", "item.view", "id=3", "--via", via]);
    expect(late.code).toBe(1);
    expect(jsonOf(late)).toMatchObject({
      error: { code: "NETWORK", details: { outcome: "not_applied" } },
      meta: { attempts: [{ status: "skipped", error_code: "SOURCE_DOWN" }] },
    });
  });

  it("a keyed write through waybill run --via nats is applied once, even from two machines", async () => {
    const { world, via } = await serve();
    const words = ["run", "item.create", "title=a", "--idempotency-key", "k", "--via", via];
    const [one, two] = [await makeWorld(onTestFinished), await makeWorld(onTestFinished)];
    const first = jsonOf(await one.run(words));
    const again = jsonOf(await two.run(words));
    expect([first.ok, again.meta["replayed"]]).toEqual([true, true]);
    expect(world.upstream.seen.filter(({ method }) => method === "POST")).toHaveLength(1);
  });

  it("interrupting waybill run --via cancels the call at the worker", async () => {
    const { world, via } = await serve();
    const interruption = new AbortController();
    const asked = world.upstream.next();
    const waiting = world.run(["run", "item.wait", "--via", via], { signal: interruption.signal });
    await asked;
    interruption.abort(new Error("Interrupted by SIGINT"));
    expect(jsonOf(await waiting).error.code).toBe("CANCELLED");
    await expect.poll(() => world.upstream.closed).toBe(1);
  });

  it("a read through waybill run --via nats that times out can be retried", async () => {
    const { via } = await serve();
    const elsewhere = await makeWorld(onTestFinished);
    // On a slow machine, a short deadline ends before the worker has said that this is a read.
    let deadline = 200;
    await expect
      .poll(async () => {
        deadline *= 2;
        const words = ["run", "item.wait", "--deadline-ms", String(deadline), "--via", via];
        const { code, retryable, details } = jsonOf(await elsewhere.run(words)).error;
        return [code, retryable, details?.["outcome"]];
      })
      .toEqual(["TIMEOUT", true, undefined]);
  });

  it("source add nats adds a NATS service as a source", async () => {
    const { via } = await serve();
    const elsewhere = await makeWorld(onTestFinished);
    await elsewhere.writeConfig({});
    const added = await elsewhere.run(["source", "add", "nats", via]);
    expect(added.stdout).toMatch(/^added (test-\d+-\d+) \(nats\): 6 operations/);
    const name = /added (\S+)/.exec(added.stdout)![1]!;
    const ended = await elsewhere.run(["run", `${name}.item.view`, "id=3"]);
    expect(jsonOf(ended)).toMatchObject({ ok: true, data: { id: 3 } });
    const { stdout } = await elsewhere.run(["source", "add", "nats", "nats://127.0.0.1:1/a"]);
    expect(stdout).toContain("No connection to the NATS server");
  });

  it("waybill serve nats prints how to call the service and who can call it", async () => {
    const { said, via } = await serve(true);
    expect(said).toContain(`waybill run <id> --via ${via}`);
    expect(said).toContain("everyone who can reach the NATS server may call");
  });

  it("waybill serve nats accepts only calls that are signed with its key", async () => {
    const key = "a secret of the whole cluster";
    const { world, said, via } = await serve(false, { KEY: key });
    expect(JSON.parse(said)).toMatchObject({ identity: "signed" });
    const words = ["run", "item.view", "id=3", "--via", via];
    const env = { ...world.env, KEY: key };
    expect((await world.run(words, { env })).code).toBe(0);
    const stranger = await makeWorld(onTestFinished);
    expect(jsonOf(await stranger.run(words)).error.code).toBe("AUTH");
    const forged = { ...world.env, KEY: "another secret, also long enough" };
    expect(jsonOf(await world.run(words, { env: forged })).error.code).toBe("AUTH");
    const missing = await world.run(words);
    expect([missing.code, jsonOf(missing).error.message]).toEqual([
      2,
      "nats.key of the configuration refers to a missing secret",
    ]);
    expect(JSON.stringify(jsonOf(missing).error.details)).toContain("KEY");
  });

  it("waybill serve nats refuses --open if a key is configured", async () => {
    const world = await makeWorld(onTestFinished);
    await world.writeUserConfig({ nats: { key: { env: "KEY" } } });
    const { code, stdout } = await world.run(["serve", "nats", "--open"]);
    expect([code, stdout]).toEqual([2, expect.stringContaining("nats.key is configured")]);
  });

  it("a plain NATS client can find waybill serve nats", async () => {
    const { via } = await serve();
    const { connection } = await connectNats({ servers: server().url });
    onTestFinished(() => connection.close());
    const service = via.split("/").at(-1)!;
    const answer = await connection.request(`$SRV.PING.${service}`);
    expect(answer.json()).toMatchObject({
      type: "io.nats.micro.v1.ping_response",
      name: service,
    });
  });

  it("waybill serve nats answers running calls before it ends on SIGTERM", async () => {
    const world = await makeWorld(onTestFinished);
    const service = newService();
    const words = ["serve", "nats", "--open", "--server", server().url, "--service", service];
    const worker = new Program(world, words);
    await once(worker.process.stdout, "data");
    const asked = world.upstream.next();
    const via = `${server().url}/${service}`;
    const waiting = world.run(["run", "item.wait", "--deadline-ms", "1500", "--via", via]);
    await asked;
    worker.process.kill("SIGTERM");
    expect(jsonOf(await waiting).error.code).toBe("TIMEOUT");
    expect((await worker.ended).code).toBe(0);
  });

  it("waybill run --via returns an envelope if there is no NATS server", async () => {
    const world = await makeWorld(onTestFinished);
    const ended = jsonOf(await world.run(["run", "a.b", "--via", "nats://127.0.0.1:1"]));
    expect(ended).toMatchObject({
      error: { code: "NETWORK", details: { outcome: "not_applied" } },
      meta: { capability_id: "a.b", attempts: [{ error_code: "SOURCE_DOWN" }] },
    });
  });

  it.each([
    [["serve", "nats", "here"], 2, 'takes no arguments, but got "here"'],
    [["serve", "nats"], 2, "Without nats.key everyone who can reach the NATS server could call"],
    [
      ["serve", "nats", "--open", "--server", "http://x"],
      2,
      "The address of a NATS server must be like",
    ],
    [
      ["serve", "nats", "--open", "--server", "nats://127.0.0.1:1"],
      1,
      "No connection to the NATS server",
    ],
    [["run", "a.b", "--via", "nats://127.0.0.1:1"], 1, "No connection to the NATS server"],
    [["run", "a.b", "--via", "nats://127.0.0.1:4222/a.b"], 2, "A service name consists of letters"],
  ])("waybill refuses the NATS command line %j", async (words, exit, sentence) => {
    const world = await makeWorld(onTestFinished);
    const ended = await world.run(words);
    expect([ended.code, jsonOf(ended).error.message]).toEqual([
      exit,
      expect.stringContaining(sentence),
    ]);
  });
});
