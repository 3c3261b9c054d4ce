import { isDeepStrictEqual } from "node:util";
import { isRecord } from "@waybill/core/schema";
import type { JsonSchema, Waybill } from "@waybill/core";
import type { DescribedServer, Plan } from "./described-server.ts";
import { generate } from "./generate-value.ts";
import { deref } from "./raw-operations.ts";
import type { Raw, RawOperation } from "./raw-operations.ts";

interface Documented {
  readonly status: number;
  readonly contentType: string | undefined;
}

function documented(document: Raw, { operation }: RawOperation): Documented {
  const responses = Object.entries((operation["responses"] ?? {}) as Raw);
  const [status = "200", given] = responses.find(([key]) => /^2(?:\d\d|XX)$/iu.test(key)) ?? [];
  const response = deref(document, given) as Raw | undefined;
  const described = Object.keys(response?.["content"] ?? {});
  const produced = (operation["produces"] ??
    document["produces"] ?? ["application/json"]) as string[];
  const types = response?.["schema"] === undefined ? described : produced;
  const chosen = types.find((type) => /[/+]json/u.test(type)) ?? types[0];
  const isAny = chosen !== undefined && /^(?:\*|application)\/\*$/u.test(chosen);
  const contentType = isAny ? "application/json" : chosen;
  return { status: /^\d+$/u.test(status) ? Number(status) : 200, contentType };
}

const BYTES = Buffer.from([0, 1, 2, 3, 255]);

async function planFor(
  document: Raw,
  raw: RawOperation,
  output: JsonSchema,
  seed: number,
): Promise<{ plan: Plan; data: unknown } | undefined> {
  const { status, contentType } = documented(document, raw);
  if (status === 204 || status === 205 || raw.method === "head" || contentType === undefined) {
    return { plan: { raw, status, contentType: undefined, body: "" }, data: null };
  }
  if (/[/+]json/u.test(contentType)) {
    const { value, isValid } = await generate(output, seed);
    if (!isValid) return undefined;
    return { plan: { raw, status, contentType, body: JSON.stringify(value) }, data: value };
  }
  const isText = /^text\/|xml/u.test(contentType);
  const body = isText ? "some text" : BYTES;
  return {
    plan: { raw, status, contentType: contentType.replaceAll("*", "x"), body },
    data: isText ? body : undefined,
  };
}

export interface AnswerCase {
  readonly document: Raw;
  readonly raw: RawOperation;
  readonly id: string;
  readonly input: unknown;
  readonly output: JsonSchema;
  readonly seed: number;
}

/**
 * No value can match the description, for example if an object must contain itself, so nothing was
 * called.
 */
export const UNANSWERABLE = Symbol("unanswerable");

/** Every default value in a schema, as JSON. */
function defaultsIn(schema: unknown): ReadonlySet<string> {
  const found = new Set<string>();
  JSON.stringify(schema, (key, value: unknown) => {
    if (key === "default") found.add(JSON.stringify(value));
    return value;
  });
  return found;
}

/** Numbers with more digits than a JavaScript number can hold are returned as strings. */
function exactValue(sent: unknown): unknown {
  const isLarge = Number.isInteger(sent) && !Number.isSafeInteger(sent);
  return isLarge ? JSON.stringify(sent) : sent;
}

/**
 * Whether the returned data equal the data that were sent. Members that were not sent may have
 * their default value.
 */
function isWithDefaults(data: unknown, sent: unknown, defaults: ReadonlySet<string>): boolean {
  if (Array.isArray(data) && Array.isArray(sent)) {
    const same = (item: unknown, at: number): boolean => isWithDefaults(item, sent[at], defaults);
    return data.length === sent.length && data.every(same);
  }
  if (!isRecord(data) || !isRecord(sent)) return isDeepStrictEqual(data, exactValue(sent));
  const isKept = Object.keys(sent).every((name) => Object.hasOwn(data, name));
  return (
    isKept &&
    Object.entries(data).every(([name, value]) =>
      Object.hasOwn(sent, name)
        ? isWithDefaults(value, sent[name], defaults)
        : defaults.has(JSON.stringify(value)),
    )
  );
}

/**
 * Calls an operation on a server that is built from the description. Returns the problem, if any.
 */
export async function checkAnswer(
  server: DescribedServer,
  waybill: Waybill,
  { document, raw, id, input, output, seed }: AnswerCase,
): Promise<string | typeof UNANSWERABLE | undefined> {
  const made = await planFor(document, raw, output, seed);
  if (made === undefined) return UNANSWERABLE;
  server.plan = made.plan;
  const result = await waybill.execute(id, input);
  if (!result.ok) return `${result.error.code} ${result.error.message}`;
  const misfit = result.meta.warnings?.find((text) => text.includes("does not match the schema"));
  if (misfit !== undefined) return misfit;
  const isSame =
    made.data === undefined ||
    isWithDefaults(result.data, JSON.parse(JSON.stringify(made.data)), defaultsIn(output));
  return isSame ? undefined : "the data is not what was sent";
}
