import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  Server,
  isInputRequiredResult,
} from "@modelcontextprotocol/server";
import type {
  Implementation,
  RequestStateCodec,
  ServerContext,
} from "@modelcontextprotocol/server";
import type { Waybill } from "@waybill/core";
import { failureAnswer } from "./answers.ts";
import { QUESTION } from "./approval.ts";
import { answerTo, canElicit, canSample, getClient } from "./client-info.ts";
import { withProgress } from "./progress.ts";
import type { RelayClient, Rounds } from "./rounds.ts";
import type { ServedTool, Surface, ToolAnswer, ToolCall } from "./surface.ts";
import type { Upstream } from "./upstream.ts";

/** The parts of a server for one client, or for one of its requests. */
export interface ServerParts {
  readonly surface: Surface;
  readonly version: string;
  /** The Waybill with the rights of this caller. */
  readonly waybill: Waybill;
  readonly states: RequestStateCodec<string>;
  readonly progressMs: number;
  /** Calls that wait for a client's answer to a question of another server. */
  readonly rounds: Rounds;
  /** Whether the server exists for one request only. Such a server cannot report later changes. */
  readonly isForOneRequest?: boolean;
  /** Called with the client at each of its calls. */
  readonly onClient?: ((client: Implementation) => void) | undefined;
}

function unknown(what: string, name: string): ProtocolError {
  const message = `There is no ${what} ${JSON.stringify(name.slice(0, 80))}; ${what}s/list shows them`;
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}

function toolCall(server: Server, { waybill, states }: ServerParts, ctx: ServerContext): ToolCall {
  return {
    waybill,
    signal: ctx.mcpReq.signal,
    canAsk: canElicit(server, ctx),
    answer: answerTo(QUESTION, ctx),
    state: ctx.mcpReq.requestState<string>(),
    seal: (state) => states.mint(state, ctx),
    context: ctx,
  };
}

/** Writes structured content that is not an object in the form of the client's protocol version. */
function asSent(server: Server, { definition }: ServedTool, answer: ToolAnswer): ToolAnswer {
  if (isInputRequiredResult(answer)) return answer;
  return server.projectCallToolResult(answer, definition.outputSchema);
}

function serveTools(server: Server, parts: ServerParts): void {
  const { surface } = parts;
  server.setRequestHandler("tools/list", async (_request, ctx) => {
    const tools = await surface.tools(getClient(server, ctx));
    return { tools: tools.map(({ definition }) => definition) };
  });
  server.setRequestHandler("tools/call", async ({ params }, ctx) => {
    const client = getClient(server, ctx);
    if (client !== undefined) parts.onClient?.(client);
    const tools = await surface.tools(client);
    const tool = tools.find(({ definition }) => definition.name === params.name);
    if (tool === undefined) throw unknown("tool", params.name);
    const call = toolCall(server, parts, ctx);
    const asks = questionsFor(server, ctx);
    const start = (signal: AbortSignal): Promise<ToolAnswer> =>
      runTool(tool, params.arguments ?? {}, { ...call, signal }, surface);
    const answer = await withProgress(ctx, parts.progressMs, (onProgress) =>
      parts.rounds.run(call, { client: server, onProgress, asks }, start),
    );
    return asSent(server, tool, answer);
  });
}

/** The questions of other servers that the client can answer. */
function questionsFor(server: Server, ctx: ServerContext): RelayClient["asks"] {
  return [
    ...(canElicit(server, ctx) ? (["elicitation/create"] as const) : []),
    ...(canSample(server, ctx) ? (["sampling/createMessage"] as const) : []),
  ];
}

/** Errors of a tool are shown to the model. Errors of the request are shown to the client. */
async function runTool(
  tool: ServedTool,
  args: Readonly<Record<string, unknown>>,
  call: ToolCall,
  { answers }: Surface,
): Promise<ToolAnswer> {
  try {
    return await tool.call(args, call);
  } catch (thrown) {
    if (thrown instanceof ProtocolError) throw thrown;
    return failureAnswer(answers, thrown);
  }
}

function serveResources(server: Server, { surface, waybill }: ServerParts): void {
  const { upstream } = surface;
  server.setRequestHandler("resources/list", async () => ({
    resources: [...surface.resources, ...((await upstream?.resources()) ?? [])],
  }));
  server.setRequestHandler("resources/templates/list", async () => ({
    resourceTemplates: [...surface.templates, ...((await upstream?.templates()) ?? [])],
  }));
  server.setRequestHandler("resources/read", async ({ params: { uri } }, context) => {
    const found = (await surface.read(uri, waybill, context)) ?? (await upstream?.read(uri));
    if (found === undefined) throw new ResourceNotFoundError(uri);
    return found;
  });
}

function servePrompts(server: Server, { surface }: ServerParts): void {
  const { upstream } = surface;
  server.setRequestHandler("prompts/list", async () => ({
    prompts: [...surface.prompts, ...((await upstream?.prompts()) ?? [])],
  }));
  server.setRequestHandler("prompts/get", async ({ params }, ctx) => {
    const { name, arguments: args = {} } = params;
    const prompt = surface.prompt(name, args, ctx) ?? (await upstream?.prompt(name, args));
    if (prompt === undefined) throw unknown("prompt", name);
    return prompt;
  });
}

/** Notifies a client of changes in the servers behind this one, until it disconnects. */
function tellChanges(server: Server, upstream: Upstream): void {
  const stop = upstream.onChange(() => {
    const told = [
      server.sendToolListChanged(),
      server.sendResourceListChanged(),
      server.sendPromptListChanged(),
    ];
    Promise.allSettled(told).catch(() => {});
  });
  server.onclose = stop;
}

/** Builds an SDK server for a surface, for both protocol versions. */
export function buildServer(parts: ServerParts): Server {
  const { upstream } = parts.surface;
  const changes = upstream === undefined ? {} : { listChanged: true };
  const server = new Server(
    { name: "waybill", title: "Waybill", version: parts.version },
    {
      capabilities: { tools: changes, resources: changes, prompts: changes },
      requestState: { verify: (state, ctx) => parts.states.verify(state, ctx) },
    },
  );
  serveTools(server, parts);
  serveResources(server, parts);
  servePrompts(server, parts);
  if (upstream !== undefined && parts.isForOneRequest !== true) tellChanges(server, upstream);
  return server;
}
