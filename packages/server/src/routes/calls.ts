import { CallError, ERROR_CODES, briefText } from "@waybill/core";
import { briefChainText } from "@waybill/core/protocol";
import { isRecord } from "@waybill/core/schema";
import type { ChainStep, ExecuteOptions } from "@waybill/core";
import { envelopeAnswer, json, text, wantsText } from "../answers.ts";
import { readOverdue } from "../ending.ts";
import type { CodeDoor } from "../options.ts";
import { readMembers } from "../read-body.ts";
import type { Asked, Route } from "./route.ts";

const KEY_HEADER = "idempotency-key";
const CALL_MEMBERS: readonly string[] = ["params", "options"];
const CODE_MEMBERS: readonly string[] = ["code", "options"];
const CHAIN_MEMBERS: readonly string[] = ["steps", "options"];

function givenOptions(options: unknown): Readonly<Record<string, unknown>> {
  if (options === undefined || options === null) return {};
  if (isRecord(options)) return options;
  throw new CallError("VALIDATION_ERROR", "options must be an object", { outcome: "not_applied" });
}

/**
 * The options of a request, limited by the server's time limit and aborted when the caller
 * disconnects.
 */
function getOptions(options: unknown, { header, limits, signal }: Asked): ExecuteOptions {
  const given = givenOptions(options);
  const { deadline_ms } = given;
  const isWithin = typeof deadline_ms === "number" && deadline_ms < limits.callMs;
  const key = header(KEY_HEADER);
  return {
    ...(key !== undefined && { idempotency_key: key }),
    ...given,
    // Other types are refused later, when all options are checked.
    ...((deadline_ms === undefined || typeof deadline_ms === "number") && {
      deadline_ms: isWithin ? deadline_ms : limits.callMs,
    }),
    signal,
  };
}

/** `POST /v1/execute/{id}`: answers JSON, or brief text if the caller accepts text/plain. */
export const execute: Route = async (asked) => {
  const { id, caller } = asked;
  const { params, options } = await readMembers(asked, CALL_MEMBERS);
  const brief = wantsText(asked.header);
  const given = { brief, ...getOptions(options, asked) };
  const result = await caller.waybill.execute(id, params, given);
  return envelopeAnswer(readOverdue(result, asked.signal), brief ? briefText : undefined);
};

/**
 * `POST /v1/chain`: the answer contains the result of each step. The status is an error only if the
 * chain as a whole failed.
 */
export const chain: Route = async (asked) => {
  const { caller } = asked;
  const { steps, options } = await readMembers(asked, CHAIN_MEMBERS);
  // Other types are refused when the steps are read.
  const given = steps as readonly ChainStep[];
  const brief = wantsText(asked.header);
  const result = await caller.waybill.chain(given, { brief, ...getOptions(options, asked) });
  const status = result.error === null ? 200 : ERROR_CODES[result.error.code].http;
  return brief ? text(briefChainText(result), undefined, { status }) : json(result, status);
};

/** `POST /v1/code`: runs a program that can call every capability. */
export function codeRoute(door: CodeDoor): Route {
  return async (asked) => {
    const { waybill, identity } = asked.caller;
    const { code, options } = await readMembers(asked, CODE_MEMBERS);
    // Other types are refused when the program is read.
    const program = code as string | undefined;
    const result = await door.run(
      waybill,
      program,
      { ...getOptions(options, asked) },
      identity?.id ?? "",
    );
    return envelopeAnswer(
      readOverdue(result, asked.signal),
      wantsText(asked.header) ? (each) => door.text(each) : undefined,
    );
  };
}
