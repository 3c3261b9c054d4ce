import { isRecord, toJson } from "@waybill/core/schema";
import type { JsonSchema, OperationSpec, OperationSummary } from "@waybill/core";
import { PROTOCOL_VERSION } from "../wire/request-headers.ts";

/**
 * The maximum size of a schema that is sent to callers. The worker still validates with larger
 * ones.
 */
const MAX_SCHEMA = 65_536;

function schemaText(schema: unknown): string {
  try {
    const text = JSON.stringify(toJson(schema ?? true).value);
    return text.length > MAX_SCHEMA ? "true" : text;
  } catch {
    return "true";
  }
}

/**
 * Reading a member may fail, if its source computes it. Then the operation is offered without a
 * schema.
 */
function sentSchema(summary: OperationSummary, which: "inputSchema" | "outputSchema"): JsonSchema {
  try {
    return JSON.parse(schemaText(Reflect.get(summary, which))) as JsonSchema;
  } catch {
    return true;
  }
}

function stringList(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) && value.length > 0 ? (value as string[]) : undefined;
}

/** The description of an operation as plain data, for other processes. */
function spoken(summary: OperationSummary): OperationSpec {
  const { id, description, effect, idempotent, kind, exposed } = summary;
  const { notes, pages, aliases, access, looseInput, normaliseInput, checkedElsewhere } =
    summary as Partial<OperationSpec>;
  const parameters = stringList(summary.parameters);
  return {
    id,
    description,
    effect,
    idempotent,
    kind,
    inputSchema: sentSchema(summary, "inputSchema"),
    outputSchema: sentSchema(summary, "outputSchema"),
    ...(exposed !== undefined && { exposed }),
    ...(parameters !== undefined && { parameters }),
    ...(isRecord(access) && { access }),
    ...(isRecord(aliases) && { aliases }),
    ...(pages !== undefined && { pages }),
    ...(looseInput === true && { looseInput }),
    // A function cannot be sent, so the worker reads such inputs itself.
    ...((normaliseInput !== undefined || checkedElsewhere === true) && { checkedElsewhere: true }),
    ...(Array.isArray(notes) && { notes }),
  };
}

/**
 * Describes one operation. Undefined if its source cannot describe it, which does not affect the
 * others.
 */
function describeOperation(summary: OperationSummary, limit: number): string | undefined {
  try {
    const said = spoken(summary);
    const text = JSON.stringify(said);
    if (text.length <= limit) return text;
    return JSON.stringify({ ...said, inputSchema: true, outputSchema: true });
  } catch {
    return undefined;
  }
}

/** The messages of a description. All except the last say that more follow. */
interface Described {
  readonly worker: string;
  readonly texts: readonly string[];
  readonly more: boolean;
}

function chunk({ worker, texts, more }: Described): string {
  return `{"worker":${JSON.stringify(worker)},"protocol":${PROTOCOL_VERSION},"operations":[${texts.join(",")}],"more":${more}}`;
}

/**
 * Describes the operations of a worker in messages of about `limit` characters, each valid JSON.
 * The last one is marked, because the number of messages is not known in advance.
 */
export function describeInChunks(
  worker: string,
  operations: readonly OperationSummary[],
  limit: number,
): readonly string[] {
  const chunks: string[] = [];
  let texts: string[] = [];
  let size = 0;
  for (const operation of operations) {
    const text = describeOperation(operation, limit);
    if (text === undefined) continue;
    if (size + text.length > limit && texts.length > 0) {
      chunks.push(chunk({ worker, texts, more: true }));
      texts = [];
      size = 0;
    }
    texts.push(text);
    size += text.length;
  }
  return [...chunks, chunk({ worker, texts, more: false })];
}
