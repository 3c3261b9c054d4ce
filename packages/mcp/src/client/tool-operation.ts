import { keptFor, oneRouteOperation } from "@waybill/core/cards";
import type { Attempt, Operation, OperationSpec } from "@waybill/core";
import type { RouteAnswer } from "@waybill/core/cards";
import { currentTalk } from "../relay/index.ts";
import type { Talk } from "../relay/index.ts";
import { TextDecoding } from "./calls/decode-text.ts";
import { toolAnswer } from "./calls/tool-answer.ts";
import { callTool } from "./calls/tool-call.ts";
import type { ToolResult } from "./calls/tool-call.ts";
import type { Connection } from "./connect.ts";
import { recover } from "./recover.ts";
import type { Recovery } from "./recover.ts";
import { isStdio } from "./settings.ts";
import type { McpSourceSettings } from "./settings.ts";
import { toolEffect } from "./tools/effect.ts";
import type { Tool } from "./tools/tool.ts";

/** The parts that the tools of one source share. */
export interface ToolKit extends Recovery {
  readonly settings: McpSourceSettings;
}

const DEFAULT_CALL_MS = 60_000;
/** The maximum duration of a call, even if it reports progress. */
const MAX_CALL_MS = 3_600_000;

function toolSpec(id: string, tool: Tool, settings: McpSourceSettings): OperationSpec {
  const { effect, idempotent, assumed } = toolEffect(tool.hints, settings.trusted === true);
  const isRenamed = id !== `${settings.name}.${tool.name}`;
  return {
    id,
    description: tool.description,
    effect,
    idempotent,
    ...(assumed && { assumed }),
    ...(effect === "read" && { safe: true }),
    kind: "call",
    exposed: settings.exposed ?? false,
    inputSchema: tool.inputSchema,
    takesDigits: true,
    looseInput: true,
    outputSchema: tool.outputSchema ?? true,
    ...(isRenamed && { notes: [`The server calls it ${JSON.stringify(tool.name).slice(0, 320)}`] }),
  };
}

function getHost(settings: McpSourceSettings): string {
  return isStdio(settings) ? settings.name : new URL(settings.url).host;
}

/** The URL of a server, without parts that may be secret. */
function safeAddress(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}

type Params = Readonly<Record<string, unknown>>;

/** One tool, and how to call it. */
class ToolRoute {
  readonly #id: string;
  readonly #tool: Tool;
  readonly #kit: ToolKit;
  readonly #decoding: TextDecoding | undefined;

  constructor(id: string, tool: Tool, kit: ToolKit) {
    this.#id = id;
    this.#tool = tool;
    this.#kit = kit;
    this.#decoding =
      tool.outputSchema === undefined ? undefined : new TextDecoding(tool.outputSchema);
  }

  async send(params: Params, attempt: Attempt): Promise<RouteAnswer> {
    const { link, settings } = this.#kit;
    // Reads the caller here, because messages of the server arrive outside of any call.
    const talk = currentTalk();
    const call = () =>
      link.use((connection) => this.#call(connection, params, attempt, talk), attempt.signal);
    const { relay } = settings;
    const { result, integers } = await (relay === undefined ? call() : relay.during(talk, call));
    const response = await toolAnswer(result, {
      capability_id: this.#id,
      integers,
      handles: keptFor(settings.handles, attempt.identity),
      decoding: this.#decoding,
    });
    return { response, upstreamRequests: 1 };
  }

  describe(params: Params): object {
    const { settings } = this.#kit;
    const server = isStdio(settings) ? settings.command : safeAddress(settings.url);
    return { server, method: "tools/call", params: { name: this.#tool.name, arguments: params } };
  }

  async #call(
    connection: Connection,
    params: Params,
    attempt: Attempt,
    talk: Talk | undefined,
  ): Promise<ToolResult> {
    const { settings } = this.#kit;
    const operationId = this.#id;
    try {
      return await callTool(connection, {
        tool: this.#tool,
        params,
        settings,
        isRepeatable: attempt.isRepeatable,
        signal: attempt.signal,
        deadline: attempt.deadline,
        timeoutMs: settings.callTimeoutMs ?? DEFAULT_CALL_MS,
        maxMs: settings.maxCallMs ?? MAX_CALL_MS,
        beforeSend: attempt.beforeSend,
        onProgress: (progress) => {
          settings.onProgress?.({ operationId, ...progress });
          talk?.onProgress(progress);
        },
      });
    } catch (error) {
      throw connection.redactor.error(await recover(error, connection, this.#kit));
    }
  }
}

/** A tool as an operation with one route, so that the router handles retries, keys and outcomes. */
export function toolOperation(id: string, tool: Tool, kit: ToolKit): Operation {
  const route = new ToolRoute(id, tool, kit);
  return oneRouteOperation({
    spec: toolSpec(id, tool, kit.settings),
    route: "mcp",
    host: getHost(kit.settings),
    send: ({ params }, attempt) => route.send(params, attempt),
    describe: ({ params }) => route.describe(params),
  });
}
