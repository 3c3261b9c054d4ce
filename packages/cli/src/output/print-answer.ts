import { isRecord } from "@waybill/core/schema";
import { printJson, printRaw } from "../io.ts";
import type { Io } from "../io.ts";
import { hasColours, painted, plain } from "./terminal.ts";
import type { Paint } from "./terminal.ts";
import { treeLines } from "./tree.ts";

type Said = Readonly<Record<"ok" | "success" | "status" | "error", unknown>>;

/** Whether the call succeeded, for any kind of envelope. A brief envelope reports only failures. */
function isGood(answer: object): boolean {
  const { ok = true, success = true, status = "success", error } = answer as Partial<Said>;
  return ok === true && success === true && status === "success" && !error;
}

/**
 * Leaves out `data` or `error` if it is null, because the first line already says which one is set.
 */
function shownAnswer(answer: object): object {
  const entries = Object.entries(answer).filter(
    ([name, value]) => value !== null && name !== "ok" && name !== "success",
  );
  return Object.fromEntries(entries);
}

function answerText(answer: object, paint: Paint): string {
  const head = isGood(answer) ? paint("green", "ok") : paint("red", "failed");
  return [head, ...treeLines(shownAnswer(answer), paint)].join("\n");
}

/**
 * Prints the answer of a call. A program gets one line of JSON, or several with `--pretty`. A
 * terminal gets a tree.
 */
export function printAnswer(io: Io, answer: unknown, isPretty: boolean): Promise<void> {
  if (!io.isTTY || !isRecord(answer)) return printJson(io, answer, isPretty);
  return printRaw(io, answerText(answer, hasColours(io) ? painted : plain));
}
