import { setTimeout as sleep } from "node:timers/promises";
import type { StandardSchemaV1 } from "@modelcontextprotocol/client";
import { fail, isCallError } from "@waybill/core";
import { isRecord } from "@waybill/core/schema";
import type { CallError } from "@waybill/core";
import type { Connection } from "../connect.ts";
import { readQuestion, writeAnswer } from "../elicitation.ts";
import { findRaw } from "../wire/stand-in.ts";
import type { ToolCall } from "./call.ts";
import { questionFailure } from "./question.ts";

type Raw = Record<string, unknown>;

const MIN_POLL_MS = 20;
const DEFAULT_POLL_MS = 1_000;
const MAX_POLL_MS = 30_000;
const CANCEL_MS = 2_000;

/** The SDK has no types for these values, because it only passes them on. */
const ANYTHING: StandardSchemaV1<unknown, unknown> = {
  "~standard": { version: 1, vendor: "waybill", validate: (value) => ({ value }) },
};

/** The task in an answer, of either protocol version. Undefined for a plain answer. */
export function taskIn(result: Raw): Raw | undefined {
  if (result["resultType"] === "task" && typeof result["taskId"] === "string") return result;
  const { task } = result;
  return isRecord(task) && typeof task["taskId"] === "string" ? task : undefined;
}

function pollMs(task: Raw): number {
  const asked = [task["pollIntervalMs"], task["pollInterval"]].find(Number.isFinite);
  const wanted = typeof asked === "number" ? asked : DEFAULT_POLL_MS;
  return Math.min(MAX_POLL_MS, Math.max(MIN_POLL_MS, wanted));
}

function taskFailure(task: Raw): CallError {
  const { error, statusMessage, status } = task;
  const said = isRecord(error) ? error["message"] : statusMessage;
  const why = typeof said === "string" ? said.slice(0, 500) : "it gave no reason";
  const code = status === "cancelled" ? "CANCELLED" : "SERVER";
  return fail(code, `The server's task for this call ended as ${String(status)}: ${why}`, {
    outcome: "unknown",
  });
}

/** Asks for the state of a tool's task until it has ended. */
class TaskCall {
  readonly #connection: Connection;
  readonly #call: ToolCall;
  readonly #id: string;
  readonly #until: number;

  constructor(connection: Connection, call: ToolCall, id: string) {
    this.#connection = connection;
    this.#call = call;
    this.#id = id;
    this.#until = Date.now() + call.maxMs;
  }

  async result(task: Raw): Promise<Raw> {
    let state = task;
    for (let polls = 1; ; polls++) {
      const ended = await this.#ended(state);
      if (ended !== undefined) return ended;
      if (Date.now() > this.#until) {
        const hint = "It may still be running: check its effect before you repeat the call";
        throw fail("TIMEOUT", "The task did not end in time", { hint });
      }
      await sleep(pollMs(state), undefined, { signal: this.#call.signal });
      state = await this.#request("tasks/get");
      this.#tell(state, polls);
    }
  }

  async cancel(): Promise<void> {
    const options = { timeout: CANCEL_MS };
    const request = { method: "tasks/cancel", params: { taskId: this.#id } };
    await this.#connection.client.request(request, ANYTHING, options).catch(() => {});
  }

  async #ended(state: Raw): Promise<Raw | undefined> {
    switch (state["status"]) {
      case "completed":
        return isRecord(state["result"]) ? state["result"] : this.#request("tasks/result");
      case "failed":
      case "cancelled":
        throw taskFailure(state);
      case "input_required":
        return this.#answerQuestions(state);
      default:
        return undefined;
    }
  }

  /**
   * In the older protocol, questions arrive while the result is awaited. In the newer protocol,
   * they are part of the task's state.
   */
  async #answerQuestions(state: Raw): Promise<Raw | undefined> {
    const { elicit } = this.#call.settings;
    const requests = isRecord(state["inputRequests"]) ? state["inputRequests"] : {};
    if (elicit === undefined) throw questionFailure(requests);
    if (!this.#connection.isModern) return this.#request("tasks/result");
    const inputResponses: Raw = {};
    for (const [key, request] of Object.entries(requests)) {
      const params = isRecord(request) ? request["params"] : undefined;
      inputResponses[key] = writeAnswer(await elicit(readQuestion(params), this.#call.signal));
    }
    await this.#request("tasks/update", { inputResponses });
    return undefined;
  }

  async #request(method: string, more: Raw = {}): Promise<Raw> {
    const { signal, timeoutMs } = this.#call;
    const request = { method, params: { taskId: this.#id, ...more } };
    const answer = await this.#connection.client.request(request, ANYTHING, {
      signal,
      timeout: timeoutMs,
    });
    return findRaw(answer) ?? {};
  }

  #tell({ statusMessage }: Raw, progress: number): void {
    if (typeof statusMessage === "string")
      this.#call.onProgress({ progress, message: statusMessage });
  }
}

function lostTask(thrown: unknown, taskId: string): CallError {
  const hint = "The task may have finished. Check its effect before you repeat a write";
  const details = { outcome: "unknown", task_id: taskId, hint } as const;
  return fail("NETWORK", "The task's result could not be read", details, { cause: thrown });
}

/** Waits for the result of a tool's task. If the call is aborted, the task is cancelled. */
export async function followTask(connection: Connection, task: Raw, call: ToolCall): Promise<Raw> {
  const id = String(task["taskId"]);
  const following = new TaskCall(connection, call, id);
  try {
    return await following.result(task);
  } catch (thrown) {
    const isOver = isCallError(thrown) && thrown.details.code !== "TIMEOUT";
    if (!isOver) await following.cancel();
    throw isCallError(thrown) || call.signal.aborted ? thrown : lostTask(thrown, id);
  }
}
