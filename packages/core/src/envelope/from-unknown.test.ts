import { describe, expect, it } from "vitest";
import { CallError, agentErrorCode, errorFromUnknown, fail, isCallError } from "./index.ts";

class PaymentError extends Error {
  override name = "PaymentError";
}

class Unreadable extends Error {
  override get message(): string {
    throw new Error("the message cannot be read");
  }
}

function refuse(): never {
  throw new Error("do not touch");
}

const hostile = new Proxy(
  {},
  { get: refuse, has: refuse, getPrototypeOf: refuse, ownKeys: refuse, apply: refuse },
);
const hostileError = new Proxy(new Error("hidden"), { get: refuse });
const cyclic: { self?: unknown } = {};
cyclic.self = cyclic;

/** Values that may be thrown, with the message expected for each. */
const oddities: [name: string, thrown: unknown, message: string][] = [
  ["a string", "disk full", "disk full"],
  ["an empty string", "", "an empty string was thrown"],
  ["null", null, "null was thrown"],
  ["undefined", undefined, "undefined was thrown"],
  ["a symbol", Symbol("stop"), "Symbol(stop) was thrown"],
  ["a function", () => 1, "a function was thrown"],
  ["a number", 42, "42 was thrown"],
  ["NaN", Number.NaN, "NaN was thrown"],
  ["a bigint", 7n, "7 was thrown"],
  ["false", false, "false was thrown"],
  ["a plain object", { reason: "late" }, '{"reason":"late"}'],
  ["an object with a message", { message: "quota reached" }, "quota reached"],
  ["an object with an empty message", { message: "" }, '{"message":""}'],
  ["an object that JSON drops", { toJSON: () => undefined }, "an object was thrown"],
  ["an object that contains itself", cyclic, "something unreadable was thrown"],
  ["an array", [1, 2], "[1,2]"],
  [
    "an object with a throwing getter",
    {
      get message() {
        return refuse();
      },
    },
    "something unreadable was thrown",
  ],
  ["a proxy that throws on everything", hostile, "something unreadable was thrown"],
  ["an error behind a throwing proxy", hostileError, "something unreadable was thrown"],
  ["an error whose message throws", new Unreadable(), "something unreadable was thrown"],
  ["an error", new Error("no route to host"), "no route to host"],
  ["an error without a message", new PaymentError(), "PaymentError"],
  ["an error of a subclass", new PaymentError("card declined"), "card declined"],
];

describe("thrown values", () => {
  it.each(oddities)(
    "errorFromUnknown makes a CallError when %s was thrown, and keeps the thrown value as the cause",
    (_, thrown, message) => {
      const error = errorFromUnknown(thrown);
      expect(error).toBeInstanceOf(CallError);
      expect(error.code).toBe("EXECUTION_ERROR");
      expect(error.message).toBe(message);
      // Compares by identity, because reading a member of some of these values would throw.
      expect(Object.is(error.cause, thrown)).toBe(true);
      expect(Object.hasOwn(error, "cause")).toBe(true);
    },
  );

  it("errorFromUnknown turns an AbortError into ABORTED and a TimeoutError into TIMEOUT", () => {
    const aborted = new DOMException("This operation was aborted", "AbortError");
    const late = AbortSignal.abort(new DOMException("too late", "TimeoutError")).reason as unknown;
    expect(errorFromUnknown(aborted)).toMatchObject({ code: "ABORTED", cause: aborted });
    expect(errorFromUnknown(late)).toMatchObject({ code: "TIMEOUT", cause: late });
    expect(agentErrorCode(errorFromUnknown(aborted))).toBe("CANCELLED");
    expect(agentErrorCode(errorFromUnknown(late))).toBe("TIMEOUT");
  });

  it("errorFromUnknown returns a CallError unchanged", () => {
    const error = new CallError("ACCESS_DENIED", "not yours", { hint: "ask" });
    expect(errorFromUnknown(error)).toBe(error);
  });

  it("errorFromUnknown wraps a CallError with an unknown code", () => {
    const odd = new CallError("TEAPOT" as "TIMEOUT", "short and stout");
    expect(errorFromUnknown(odd)).toMatchObject({ code: "EXECUTION_ERROR", cause: odd });
  });

  it("errorFromUnknown cuts a message to 2,000 characters", () => {
    const { message } = errorFromUnknown("x".repeat(100_000));
    expect(message).toHaveLength(2_001);
    expect(message.endsWith("…")).toBe(true);
  });
});

describe("guard of call errors", () => {
  const foreign = Object.assign(new Error("from another copy"), {
    name: "CallError",
    code: "TIMEOUT",
    details: {},
  });

  it("isCallError recognises an error of another copy of the package", () => {
    expect(isCallError(foreign)).toBe(true);
    expect(errorFromUnknown(foreign)).toMatchObject({ code: foreign.code, cause: foreign });
  });

  it("errorFromUnknown returns a CallError of a second copy of the package unchanged", () => {
    class CallErrorOfAnotherCopy extends Error {
      override readonly name = "CallError";
      readonly code = "TIMEOUT";
      readonly details = {};
      with(): this {
        return this;
      }
    }
    const error = new CallErrorOfAnotherCopy("late");
    expect(errorFromUnknown(error)).toBe(error);
  });

  it.each<[string, unknown]>([
    ["a plain error", new Error("x")],
    [
      "an error with an unknown code",
      Object.assign(new Error("x"), { name: "CallError", code: "X" }),
    ],
    [
      "an error without details",
      Object.assign(new Error("x"), { name: "CallError", code: "TIMEOUT", details: null }),
    ],
    ["an object that is not an error", { name: "CallError", code: "TIMEOUT", details: {} }],
  ])("isCallError refuses %s", (_, value) => {
    expect(isCallError(value)).toBe(false);
  });
});

describe("copies of an error", () => {
  const original = new CallError("TIMEOUT", "late", { status: 504, outcome: "unknown" });

  it("CallError.with returns a copy with more details and the original as its cause", () => {
    const copy = original.with({ outcome: "not_applied", hint: "wait" });
    expect(copy).toMatchObject({ code: "TIMEOUT", message: "late", cause: original });
    expect(copy.details).toEqual({ status: 504, outcome: "not_applied", hint: "wait" });
    expect(original.details).toEqual({ status: 504, outcome: "unknown" });
  });

  it("CallError.with can replace the message", () => {
    const copy = original.with({}, { message: "later" });
    expect(copy).toMatchObject({ code: "TIMEOUT", message: "later" });
  });

  it("CallError.with keeps the cause of the original", () => {
    const cause = new TypeError("no socket");
    const copy = new CallError("TIMEOUT", "late", {}, { cause }).with({ outcome: "unknown" });
    expect(copy.with({ hint: "wait" }).cause).toBe(cause);
  });
});

describe("errors with a code for agents", () => {
  it("fail() creates a CallError with the agent's error code, the details and the cause", () => {
    const cause = new Error("409");
    const error = fail("CONFLICT", "already merged", { hint: "reload", code: "AUTH" }, { cause });
    expect(error).toMatchObject({ code: "EXECUTION_ERROR", message: "already merged", cause });
    expect(error.details).toEqual({ code: "CONFLICT", hint: "reload" });
    expect(agentErrorCode(error)).toBe("CONFLICT");
  });
});
