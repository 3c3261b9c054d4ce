import { isRecord, markDigits } from "@waybill/core/schema";
import type { Connection } from "../connect.ts";
import { REPEATABLE_HEADER } from "../http/repeatable-header.ts";
import { canAnswer } from "../elicitation.ts";
import { findRaw } from "../wire/stand-in.ts";
import type { ToolCall } from "./call.ts";
import { callFailure } from "./call-failure.ts";
import { questionFailure } from "./question.ts";
import { followTask, taskIn } from "./tasks.ts";

type CallOptions = NonNullable<Parameters<Connection["client"]["callTool"]>[1]>;
type CallParams = Parameters<Connection["client"]["callTool"]>[0];

/**
 * Passes the input schema to the SDK, which needs it for headers. The output schema is not
 * passed, because the SDK would refuse usable answers with an error that looks like one of the
 * server.
 */
function optionsFor(call: ToolCall): CallOptions {
  const { tool, signal, deadline, timeoutMs, maxMs, settings } = call;
  const left = deadline === undefined ? maxMs : Math.min(maxMs, deadline - Date.now());
  return {
    signal,
    timeout: timeoutMs,
    maxTotalTimeout: Math.max(1, left),
    // Adds a listener, because without one the SDK requests no progress, and then nothing resets
    // the timeout.
    resetTimeoutOnProgress: true,
    onprogress: ({ progress, total, message }) =>
      call.onProgress({
        progress,
        ...(total !== undefined && { total }),
        ...(message !== undefined && { message }),
      }),
    ...(call.isRepeatable && { headers: { [REPEATABLE_HEADER]: "1" } }),
    allowInputRequired: !canAnswer(settings),
    toolDefinition: {
      name: tool.name,
      inputSchema: { ...tool.inputSchema, type: "object" },
    },
  };
}

function paramsFor({ tool }: ToolCall, args: CallParams["arguments"], isModern: boolean) {
  const params = { name: tool.name, arguments: args };
  return tool.needsTask && !isModern ? { ...params, task: {} } : params;
}

/** A tool's raw answer, and the paths of integers that are too large for a number. */
export interface ToolResult {
  readonly result: Record<string, unknown>;
  readonly integers: readonly string[];
}

export async function callTool(connection: Connection, call: ToolCall): Promise<ToolResult> {
  const args = { ...markDigits(call.tool.inputSchema, call.params) };
  const state = connection.wire.follow(args);
  await call.beforeSend();
  try {
    const params = paramsFor(call, args, connection.isModern);
    const result: unknown = await connection.client.callTool(params, optionsFor(call));
    if (isRecord(result) && result["resultType"] === "input_required") {
      throw questionFailure(result["inputRequests"]);
    }
    const raw = findRaw(result) ?? {};
    const task = taskIn(raw);
    if (task === undefined) return { result: raw, integers: state.integers };
    // The answer is a task, which will have the result later.
    state.isAnswered = false;
    return { result: await followTask(connection, task, call), integers: [] };
  } catch (thrown) {
    throw callFailure(thrown, state, call.signal, (status) => connection.line.headersOf(status));
  }
}
