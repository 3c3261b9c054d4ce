// The embedded GitHub of one trial, in a separate process that ends after four hours.
import { createServer } from "node:http";
import type { IncomingMessage } from "node:http";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { startGithubEmulator } from "@waybill/github/emulator";
import { McpSession, shownTool } from "../agent/programs/mcp-session.ts";
import { storeState } from "../agent/world/state.ts";
import { trialEnvironment } from "./environment.ts";
import { trialFolder } from "./folder.ts";
import type { Trial } from "./folder.ts";
import { Seeder, TrialClock } from "./seeder.ts";
import { makeWorld } from "./world.ts";

const LIFETIME_MS = 4 * 60 * 60_000;
const MANY = { core: 1e9, graphql: 1e9, search: 1e9 };
const MCP_WORDS = ["serve", "mcp", "--brief", "--tools", "code"];

const folder = trialFolder(process.argv[2] ?? "");
const { door, waybill } = JSON.parse(readFileSync(folder.trial, "utf8")) as Trial;
const clock = new TrialClock();
const socket = folder.github;
const github = await startGithubEmulator({ socket, clock: clock.now, rateLimits: MANY });
await makeWorld(new Seeder(socket, clock), github.store);
const before = JSON.stringify(storeState(github.store));

const session = new McpSession();
if (door === "mcp") {
  const cwd = join(folder.root, "work");
  await session.open(process.execPath, [waybill, ...MCP_WORDS], cwd, trialEnvironment(folder));
}

interface ToolCall {
  readonly name: string;
  readonly args: Record<string, unknown>;
}

async function callTool(request: IncomingMessage): Promise<string> {
  const { name, args } = (await json(request)) as ToolCall;
  try {
    return await session.call(name, args);
  } catch (error) {
    return `!${String(error)}`;
  }
}

async function end(): Promise<void> {
  await session.close();
  await github.close();
  process.exit(0);
}

const routes: Readonly<Record<string, (request: IncomingMessage) => Promise<string>>> = {
  "/state": async () => `{"before":${before},"after":${JSON.stringify(storeState(github.store))}}`,
  "/tools": async () => session.tools.map(shownTool).join("\n"),
  "/tool": callTool,
};

createServer((request, response) => {
  const route = routes[request.url ?? ""];
  if (request.url === "/end") void end();
  else if (route === undefined) response.writeHead(404).end();
  else void route(request).then((text) => response.end(text));
}).listen(folder.control);
setTimeout(() => void end(), LIFETIME_MS).unref();
