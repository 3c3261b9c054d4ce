// npm run sources:servers
//
// Adds 25 MCP servers from npm with the built command, as a new user would, and calls a tool of each.
import { readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { installInto } from "../npm-folder.ts";
import { NewUser } from "./command.ts";
import { FOLDER, SERVERS } from "./server-list.ts";
import type { ListedServer } from "./server-list.ts";

const folder = join(
  process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"),
  "waybill/mcp-servers",
);
const user = new NewUser({ policy: { confirm: "none" } });
writeFileSync(join(user.home, "note.md"), "A note\n");
writeFileSync(join(user.home, "eslint.config.js"), "module.exports = [{}];\n");
writeFileSync(join(user.home, "broken.js"), "const = 1;\n");

/** Replaces the placeholder for the folder of the run in a string or an object. */
function placed<T>(value: T): T {
  return JSON.parse(JSON.stringify(value).replaceAll(FOLDER, user.home)) as T;
}

function findProgram(name: string): string {
  const home = join(folder, "node_modules", name);
  const { bin } = JSON.parse(readFileSync(join(home, "package.json"), "utf8")) as {
    bin: string | Record<string, string>;
  };
  return join(home, typeof bin === "string" ? bin : Object.values(bin)[0]!);
}

interface Answer {
  readonly ok: boolean;
  readonly data?: unknown;
  readonly error?: { readonly code: string; readonly message: string };
}

/**
 * Why an answer is wrong. If the server refuses a call, the error must contain the server's
 * message.
 */
function unexpectedAnswer(
  { ok, data, error }: Answer,
  says: string | undefined,
): string | undefined {
  const text = JSON.stringify(data ?? error);
  if (says !== undefined) return ok && text.includes(says) ? undefined : text;
  const isTold = ok || (error !== undefined && error.message.length > 10);
  return isTold ? undefined : text;
}

async function tryServer(server: ListedServer): Promise<string | undefined> {
  const name = server.package.slice(0, server.package.lastIndexOf("@"));
  const id = name.replace("@modelcontextprotocol/", "").replace("@", "").replace("/", "-");
  const env = placed(server.env ?? {});
  Object.assign(user.env, env);
  const names = server.env === undefined ? [] : ["--env", Object.keys(env).join(",")];
  const options = ["--user", "--name", id, "--timeout", "300", ...names];
  const words = [process.execPath, "--", findProgram(name), ...placed(server.args ?? [])];
  const added = await user.run("source", "add", "mcp", ...options, ...words);
  if (added.code !== 0) return `not added: ${added.stdout}${added.stderr}`;
  const params = JSON.stringify(placed(server.params ?? {}));
  const called = await user.run("run", `${id}.${server.tool}`, "--params", params);
  const answer = JSON.parse(called.stdout) as Answer;
  const how = answer.ok ? "answered" : `refused (${answer.error?.message.slice(0, 80)})`;
  console.log(`${server.package}: ${added.stdout.trim().split("\n")[0]}; ${how}`);
  return unexpectedAnswer(answer, server.says);
}

installInto(
  folder,
  SERVERS.map((server) => server.package),
);
const only = process.argv[2] ?? "";
const chosen = SERVERS.filter((server) => server.package.includes(only));
let passed = 0;
for (const server of chosen) {
  const problem = await tryServer(server).catch(String);
  if (problem === undefined) passed += 1;
  else console.log(`${server.package}: WRONG ${problem.slice(0, 600)}`);
}
console.log(`${passed} of ${chosen.length} servers are listed and called`);
user.remove();
process.exitCode = passed === chosen.length ? 0 : 1;
