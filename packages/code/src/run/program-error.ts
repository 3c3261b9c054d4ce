import { fail } from "@waybill/core";
import { isErrorCode } from "@waybill/core/protocol";
import { isRecord } from "@waybill/core/schema";
import type { CallErrorDetails, ResultError } from "@waybill/core";
import type { GuestFailure, Turn } from "../sandbox/index.ts";
import { FOREIGN_METHODS } from "./foreign-names.ts";
import { toError } from "./prepared-call.ts";

/** The last line of the program in a stack, from `at <anonymous> (program:3:9)`. */
function lineIn(stack: string): number | undefined {
  const line = /\bprogram:(\d+)/u.exec(stack)?.[1];
  return line === undefined ? undefined : Number(line);
}

const MEMBER_OF_NOTHING =
  /cannot read propert(?:y|ies) '?(?<name>\w+)'? of (?<what>undefined|null)/iu;
const NOT_A_FUNCTION = /not a function/iu;
const READ_ONLY = /^'(?<name>[^']+)' is read-only$/u;
/** Better messages for engine errors with a usual cause. */
const CAUSES: readonly (readonly [RegExp, string])[] = [
  [
    /^unexpected token: '?object/iu,
    "JSON.parse was given an object. Results of calls are objects already.",
  ],
  [
    /^'?input'? is not defined$/u,
    "There is no input. Pass it as the input of the run; a program cannot ask a person.",
  ],
  [
    /^cannot read property 'Symbol\.iterator' of (?:undefined|null)$/u,
    "A list is missing here. forEach returns nothing; use map.",
  ],
  [
    /^value is not iterable$/u,
    "A value that is not a list was destructured or iterated. Check that it is a list.",
  ],
];

/**
 * The message for a program that ran out of memory, because the engine cannot create an error then.
 */
const NO_MEMORY =
  /^out of memory$|^string too long$|^invalid (?:string|array|array buffer) length$|^The program threw null$/iu;
/** A program that throws null itself looks the same. */
const THROWS_NULL = /\bthrow\s+null\b|\breject\s*\(\s*null\s*\)/u;

const NO_MEMBER = /^A \w+ has no member "(?<name>\w+)"\./u;

/** The JavaScript for a method of another language that a line calls; undefined if there is none. */
function ownMethod(line: string): string | undefined {
  const names = Array.from(line.matchAll(/\.(\w+)\s*\(/gu), ([, name = ""]) => name);
  // If a line has several calls, it is unknown which one failed.
  const [name = ""] = names;
  const own = names.length === 1 ? FOREIGN_METHODS.get(name) : undefined;
  return own === undefined ? undefined : `In JavaScript, write ${own} for ${name}(…).`;
}

/** Replaces the engine's short messages by clearer ones. */
function clearer({ name, message }: GuestFailure, line = ""): string {
  const { name: member, what } = MEMBER_OF_NOTHING.exec(message)?.groups ?? {};
  if (member !== undefined)
    return `"${member}" was read from ${what}. Check that the value exists.`;
  if (NOT_A_FUNCTION.test(message))
    return `${message}. ${ownMethod(line) ?? "Check the name of the function."}`;
  const text = NO_MEMBER.exec(message);
  const own = text === null ? undefined : ownMethod(`.${text.groups!["name"]}(`);
  if (own !== undefined) return `${text![0]} ${own}`;
  const constant = READ_ONLY.exec(message)?.groups?.["name"];
  if (constant !== undefined) return `"${constant}" is a constant. Declare it with let.`;
  const cause = CAUSES.find(([pattern]) => pattern.test(message))?.[1];
  if (cause !== undefined) return cause;
  if (message === "") return "The program threw an error without a message";
  return name === "Error" || name === "TypeError" ? message : `${name}: ${message}`;
}

function isOfMemory({ message }: GuestFailure, program: string): boolean {
  return NO_MEMORY.test(message) && !(message.endsWith("null") && THROWS_NULL.test(program));
}

function isOfStack({ name, message }: GuestFailure): boolean {
  return /stack overflow|call stack/iu.test(message) && name !== "Error";
}

function placed(message: string, line: number | undefined): string {
  return line === undefined || message.startsWith("Line ") ? message : `Line ${line}: ${message}`;
}

/** The error that a program threw or did not catch. */
export function programError(failure: GuestFailure, program: string): ResultError {
  const line = lineIn(failure.stack);
  const at: CallErrorDetails = line === undefined ? {} : { line };
  const { code, message, retryable = false, details, isCall } = failure;
  if (isCall === true && code !== undefined && isErrorCode(code)) {
    const own = isRecord(details) ? details : {};
    return { code, message: placed(message, line), retryable, details: { ...own, ...at } };
  }
  if (isOfMemory(failure, program)) {
    const text = placed("The program exceeded its memory limit. Handle less data at a time", line);
    return toError(fail("TOO_LARGE", text, { ...at, limit: "memory" }));
  }
  if (isOfStack(failure)) {
    return toError(fail("TOO_LARGE", placed(clearer(failure), line), { ...at, limit: "stack" }));
  }
  const text = line === undefined ? "" : program.split("\n", line)[line - 1];
  return toError(fail("VALIDATION", placed(clearer(failure, text), line), at));
}

/** Describes why a run stopped inside the sandbox, or waits for something that never happens. */
export function stopError({ facts }: Turn): ResultError {
  const { stopped, isHanging } = facts;
  if (stopped === undefined && !isHanging) {
    const message = "The program changed built-in functions that its calls need";
    const hint = "Do not change members of built-in objects, such as Array.prototype";
    return toError(fail("VALIDATION", message, { hint }));
  }
  if (isHanging) {
    const message = "The program waits for a promise that never resolves";
    return toError(fail("VALIDATION", message, { hint: "Await calls of capabilities only" }));
  }
  const limit = stopped?.limit;
  return toError(
    fail("TOO_LARGE", stopped?.message ?? "The program was stopped. Run it again", {
      ...(limit !== undefined && { limit }),
    }),
  );
}
