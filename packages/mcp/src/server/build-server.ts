import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  Server,
  isInputRequiredResult,
} from "@modelcontextprotocol/server";
import type { RequestStateCodec, ServerContext } from "@modelcontextprotocol/server";
import type { Waybill } from "@waybill/core";
import { failureAnswer } from "./answers.ts";
import { QUESTION } from "./approval.ts";
import { answerTo, canElicit, clientOf } from "./client-facts.ts";
import { withProgress } from "./progress.ts";
import type { ServedTool, Surface, ToolAnswer, ToolCall } from "./surface.ts";

/** What a server for one client, or one request of it, is made of. */
export interface ServerParts {
  readonly surface: Surface;
  readonly version: string;
  /** As whoever calls may use it. */
  readonly waybill: Waybill;
  readonly states: RequestStateCodec<string>;
  readonly progressMs: number;
}

function unknown(what: string, name: string): ProtocolError {
  const message = `There is no ${what} ${JSON.stringify(name.slice(0, 80))}`;
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

/** Structured content of an answer that is no object is written as the client's era has it. */
function asSent(server: Server, { definition }: ServedTool, answer: ToolAnswer): ToolAnswer {
  if (isInputRequiredResult(answer)) return answer;
  return server.projectCallToolResult(answer, definition.outputSchema);
}

function serveTools(server: Server, parts: ServerParts): void {
  const { surface } = parts;
  server.setRequestHandler("tools/list", async (_request, ctx) => {
    const tools = await surface.tools(clientOf(server, ctx));
    return { tools: tools.map(({ definition }) => definition) };
  });
  server.setRequestHandler("tools/call", async ({ params }, ctx) => {
    const tools = await surface.tools(clientOf(server, ctx));
    const tool = tools.find(({ definition }) => definition.name === params.name);
    if (tool === undefined) throw unknown("tool", params.name);
    const call = toolCall(server, parts, ctx);
    const answer = await withProgress(ctx, parts.progressMs, () =>
      run(tool, params.arguments ?? {}, call, surface),
    );
    return asSent(server, tool, answer);
  });
}

/** A tool that breaks is for the model to see; what is wrong with the request, for the client. */
async function run(
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
  server.setRequestHandler("resources/list", () => ({ resources: [...surface.resources] }));
  server.setRequestHandler("resources/templates/list", () => ({
    resourceTemplates: [...surface.templates],
  }));
  server.setRequestHandler("resources/read", async ({ params: { uri } }, context) => {
    const found = await surface.read(uri, waybill, context);
    if (found === undefined) throw new ResourceNotFoundError(uri);
    return found;
  });
}

function servePrompts(server: Server, { surface }: ServerParts): void {
  server.setRequestHandler("prompts/list", () => ({ prompts: [...surface.prompts] }));
  server.setRequestHandler("prompts/get", ({ params: { name, arguments: args = {} } }, ctx) => {
    const prompt = surface.prompt(name, args, ctx);
    if (prompt === undefined) throw unknown("prompt", name);
    return prompt;
  });
}

/** A server of the SDK that offers a surface, in whichever era it is then connected. */
export function buildServer(parts: ServerParts): Server {
  const server = new Server(
    { name: "waybill", title: "Waybill", version: parts.version },
    {
      capabilities: { tools: {}, resources: {}, prompts: {} },
      requestState: { verify: (state, ctx) => parts.states.verify(state, ctx) },
    },
  );
  serveTools(server, parts);
  serveResources(server, parts);
  servePrompts(server, parts);
  return server;
}
