// npm run sources:clients
//
// Six MCP clients from npm, each with the built command as its server. Behind it is the reference
// server of MCP. Each client lists the tools, calls a capability and receives an image.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { homedir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createInterface } from "node:readline";
import { installInto } from "../npm-folder.ts";
import { root } from "../run.mjs";
import { NewUser, readStream, program } from "./command.ts";

const PACKAGES = [
  "@modelcontextprotocol/inspector@0.15.0",
  "mcporter@0.9.0",
  "ai@6.0.326",
  "@ai-sdk/mcp@1.0.101",
  "@openai/agents@0.20.0",
  "@modelcontextprotocol/sdk@1.32.2",
  "zod@4.6.7",
];
const folder = join(
  process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"),
  "waybill/mcp-clients",
);
const modules = join(folder, "node_modules");
const EVERYTHING = join(root, "node_modules/@modelcontextprotocol/server-everything/dist/index.js");
const MCPORTER = "mcporter/dist/cli.js";
const ECHO = { capability_id: "every.echo", params: { message: "hello" } };
const IMAGE = { capability_id: "every.get-tiny-image", params: {} };

/** This client waits 5 seconds by default, which a busy machine can exceed. */
const PATIENT = { clientSessionTimeoutSeconds: 600, timeout: 600_000 };

/** The answers that a client shows, as text. */
interface Shown {
  readonly tools: string;
  readonly echo: string;
  readonly image: string;
}

interface ToolClient {
  readonly tools: () => Promise<unknown>;
  readonly call: (args: object) => Promise<unknown>;
  readonly close: () => Promise<unknown>;
}

const user = new NewUser({
  sources: {
    every: { kind: "mcp", command: process.execPath, args: [EVERYTHING, "stdio"], trusted: true },
  },
});
const server = { command: process.execPath, args: [program, "serve", "mcp"] };

async function load<T>(path: string): Promise<T> {
  return (await import(pathToFileURL(join(modules, path)).href)) as T;
}

async function runProgram(file: string, args: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, [join(modules, file), ...args], {
    cwd: user.home,
    env: user.env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [out, errors] = await Promise.all([readStream(child.stdout), readStream(child.stderr)]);
  return out === "" ? errors : out;
}

async function useClient({ tools, call, close }: ToolClient): Promise<Shown> {
  try {
    return {
      tools: JSON.stringify(await tools()),
      echo: JSON.stringify(await call(ECHO)),
      image: JSON.stringify(await call(IMAGE)),
    };
  } finally {
    await close();
  }
}

function askInspector(words: readonly string[]): Promise<string> {
  const args = ["--cli", server.command, ...server.args, ...words];
  return runProgram("@modelcontextprotocol/inspector/cli/build/cli.js", args);
}

async function inspector(): Promise<Shown> {
  const call = ({ capability_id, params }: typeof ECHO | typeof IMAGE): Promise<string> =>
    askInspector([
      "--method",
      "tools/call",
      "--tool-name",
      "execute",
      "--tool-arg",
      `capability_id=${capability_id}`,
      `params=${JSON.stringify(params)}`,
    ]);
  return {
    tools: await askInspector(["--method", "tools/list"]),
    echo: await call(ECHO),
    image: await call(IMAGE),
  };
}

async function mcporter(): Promise<Shown> {
  const words = server.args.flatMap((arg) => ["--stdio-arg", arg]);
  const stdio = ["--stdio", server.command, ...words, "--name", "w"];
  const call = (args: object): Promise<string> =>
    runProgram(MCPORTER, [
      "call",
      ...stdio,
      "execute",
      "--args",
      JSON.stringify(args),
      "--output",
      "raw",
    ]);
  const tools = await runProgram(MCPORTER, ["list", ...stdio]);
  return { tools, echo: await call(ECHO), image: await call(IMAGE) };
}

interface AiTool {
  execute(args: object, options: object): Promise<unknown>;
}

interface AiClient {
  tools(): Promise<Record<string, AiTool>>;
  close(): Promise<void>;
}

async function aiSdk(): Promise<Shown> {
  const { createMCPClient } = await load<{ createMCPClient: (o: object) => Promise<AiClient> }>(
    "@ai-sdk/mcp/dist/index.mjs",
  );
  const { Experimental_StdioMCPTransport: Stdio } = await load<{
    Experimental_StdioMCPTransport: new (o: object) => object;
  }>("@ai-sdk/mcp/dist/mcp-stdio/index.mjs");
  const transport = new Stdio({ ...server, cwd: user.home, env: user.env });
  const client = await createMCPClient({ transport });
  const tools = await client.tools();
  return useClient({
    tools: () => Promise.resolve(Object.keys(tools)),
    call: (args) => tools["execute"]!.execute(args, { toolCallId: "1", messages: [] }),
    close: () => client.close(),
  });
}

interface AgentsServer {
  connect(): Promise<void>;
  listTools(): Promise<unknown>;
  callTool(name: string, args: object): Promise<unknown>;
  close(): Promise<void>;
}

async function openAiAgents(): Promise<Shown> {
  const { MCPServerStdio } = await load<{ MCPServerStdio: new (o: object) => AgentsServer }>(
    "@openai/agents/dist/index.mjs",
  );
  const agents = new MCPServerStdio({
    ...server,
    cwd: user.home,
    env: user.env,
    name: "w",
    ...PATIENT,
  });
  await agents.connect();
  return useClient({
    tools: () => agents.listTools(),
    call: (args) => agents.callTool("execute", args),
    close: () => agents.close(),
  });
}

interface SdkClient {
  connect(transport: object): Promise<void>;
  listTools(): Promise<unknown>;
  callTool(params: object): Promise<unknown>;
  close(): Promise<void>;
}

async function sdkClient(transport: object): Promise<Shown> {
  const { Client } = await load<{ Client: new (info: object) => SdkClient }>(
    "@modelcontextprotocol/sdk/dist/esm/client/index.js",
  );
  const client = new Client({ name: "sdk-1", version: "1.0.0" });
  await client.connect(transport);
  return useClient({
    tools: () => client.listTools(),
    call: (args) => client.callTool({ name: "execute", arguments: args }),
    close: () => client.close(),
  });
}

async function sdkStdio(): Promise<Shown> {
  const { StdioClientTransport } = await load<{
    StdioClientTransport: new (o: object) => object;
  }>("@modelcontextprotocol/sdk/dist/esm/client/stdio.js");
  return sdkClient(new StdioClientTransport({ ...server, cwd: user.home, env: user.env }));
}

async function sdkHttp(): Promise<Shown> {
  const { StreamableHTTPClientTransport } = await load<{
    StreamableHTTPClientTransport: new (url: URL) => object;
  }>("@modelcontextprotocol/sdk/dist/esm/client/streamableHttp.js");
  const child = spawn(process.execPath, [program, "serve", "http", "--open"], {
    cwd: user.home,
    env: user.env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      const [address] = /http:\/\/127\.0\.0\.1:\d+/u.exec(line) ?? [];
      if (address !== undefined)
        return await sdkClient(new StreamableHTTPClientTransport(new URL(`${address}/mcp`)));
    }
    throw new Error(`serve http printed no address: ${await readStream(child.stderr)}`);
  } finally {
    child.kill();
    await once(child, "exit");
  }
}

const CLIENTS: Readonly<Record<string, () => Promise<Shown>>> = {
  "MCP Inspector 0.15.0 --cli": inspector,
  "mcporter 0.9.0": mcporter,
  "AI SDK 6": aiSdk,
  "OpenAI Agents 0.20.0": openAiAgents,
  "MCP SDK 1.32.2, stdio": sdkStdio,
  "MCP SDK 1.32.2, streamable HTTP": sdkHttp,
};

function problems({ tools, echo, image }: Shown): string[] {
  const isListed = ["list_capabilities", "execute"].every((name) => tools.includes(name));
  return [
    ...(isListed ? [] : [`tools: ${tools.slice(0, 300)}`]),
    ...(echo.includes("Echo: hello") ? [] : [`echo: ${echo.slice(0, 300)}`]),
    ...(/iVBORw0KGgo/u.test(image) ? [] : [`image: ${image.slice(0, 300)}`]),
  ];
}

installInto(folder, PACKAGES);
let passed = 0;
for (const [name, use] of Object.entries(CLIENTS)) {
  const found = await use()
    .then(problems)
    .catch((error: unknown) => [String(error)]);
  if (found.length === 0) passed += 1;
  console.log(`${name}: ${found.length === 0 ? "passed" : found.join("; ")}`);
}
console.log(`${passed} of ${Object.keys(CLIENTS).length} clients passed`);
user.remove();
process.exitCode = passed === Object.keys(CLIENTS).length ? 0 : 1;
