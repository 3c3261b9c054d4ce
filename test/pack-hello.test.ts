import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import { root, sourceFlags } from "../scripts/run.mjs";

const runFile = promisify(execFile);

/** A service that stores greetings and accepts an idempotency key. */
async function startService(): Promise<{ readonly url: string; readonly keys: string[] }> {
  const greetings: Record<string, string[]> = { cy: ["Shwmae"] };
  const keys: string[] = [];
  const answer = async (request: IncomingMessage): Promise<object> => {
    const url = new URL(request.url ?? "", "http://localhost");
    const language = url.searchParams.get("language");
    if (language !== null) return { greetings: greetings[language] ?? [] };
    const body = (await json(request)) as { language: string; phrase: string };
    (greetings[body.language] ??= []).push(body.phrase);
    keys.push(String(request.headers["idempotency-key"]));
    return { id: keys.length };
  };
  const server = createServer((request, response) => {
    response.setHeader("content-type", "application/json");
    void answer(request).then((value) => response.end(JSON.stringify(value)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, keys };
}

/** A project in which the pack is installed as npm does it, next to Waybill. */
async function makeProject(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "waybill-pack-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const source = join(root, "examples/pack-hello");
  const args = ["pack", "--silent", "--ignore-scripts", "--pack-destination", folder];
  const { stdout } = await runFile("npm", args, { cwd: source });
  const target = join(folder, "node_modules/waybill-pack-hello");
  await mkdir(target, { recursive: true });
  const tarball = join(folder, stdout.trim().split("\n").at(-1)!);
  await runFile("tar", ["-xzf", tarball, "-C", target, "--strip-components=1"]);
  await symlink(join(root, "node_modules/@waybill"), join(folder, "node_modules/@waybill"), "dir");
  await writeFile(join(folder, "package.json"), '{ "private": true, "type": "module" }');
  return folder;
}

const PROGRAM = `
import { createWaybill } from "@waybill/core";
import { helloSource } from "waybill-pack-hello";
const waybill = createWaybill({ sources: [await helloSource({ baseUrl: process.argv[2] })] });
const show = ({ ok, data, error, meta }) => console.log(JSON.stringify(ok ? data : error.code), meta.route_used);
show(await waybill.execute("greeting.list", { language: "cy" }));
show(await waybill.execute("greeting.create", { language: "br", phrase: "Demat" }));
show(await waybill.execute("greeting.create", { language: "br", phrse: "Demat" }));
show(await waybill.execute("greeting.shout", { text: "demat" }));
await waybill.close();
process.exit(0);
`;

it("code can call the capabilities of an installed third-party pack", async () => {
  const [service, folder] = await Promise.all([startService(), makeProject()]);
  await writeFile(join(folder, "main.mjs"), PROGRAM);
  const tsx = join(root, "node_modules/tsx/dist/esm/index.mjs");
  const flags = sourceFlags.map((flag) => (flag === "tsx" ? tsx : flag));
  const { stdout } = await runFile(process.execPath, [...flags, "main.mjs", service.url], {
    cwd: folder,
  });
  expect(stdout.trim().split("\n")).toEqual([
    '{"items":["Shwmae"]} rest',
    '{"id":1} rest',
    expect.stringContaining('"VALIDATION"'),
    '"DEMAT!" local',
  ]);
  expect(service.keys).toHaveLength(1);
});

it("the command waybill can call the cards of an installed pack without code", async () => {
  const [service, folder] = await Promise.all([startService(), makeProject()]);
  const waybill = join(root, "packages/cli/bin/waybill.cjs");
  const env = { HOME: join(folder, "home"), PATH: process.env["PATH"] };
  const call = (...args: string[]) =>
    runFile(process.execPath, [waybill, ...args], { cwd: folder, env }).then(
      ({ stdout }) => stdout,
    );
  const cards = "node_modules/waybill-pack-hello/cards";
  const base = ["--base-url", service.url, "--allow-private"];
  await call("source", "add", "cards", cards, "--name", "hello", ...base);
  expect(JSON.parse(await call("run", "greeting.list", "language=cy"))).toMatchObject({
    ok: true,
    data: { items: ["Shwmae"] },
  });
});
