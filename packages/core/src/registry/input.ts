import { CallError } from "../envelope/index.ts";
import type { Issue } from "../envelope/index.ts";
import type { OperationSpec } from "../operation/index.ts";
import type { Entry, Schemas } from "./entry.ts";
import { normalise } from "../schema/index.ts";
import type { CompiledSchema } from "../schema/index.ts";

interface InputOptions {
  /** Reads JSON and lists that came as text, as agents and command lines often send them. */
  readonly decode?: boolean;
}

/** The first problems as one line, for who reads only the message. */
function summary(issues: readonly Issue[]): string {
  const shown = issues.slice(0, 3).map(({ path, message }) => `${path || "input"} ${message}`);
  const more = issues.length > shown.length ? `, and ${issues.length - shown.length} more` : "";
  return shown.join("; ") + more;
}

export function invalidInput(id: string, issues: readonly Issue[]): CallError {
  const message = `Invalid input for ${id}: ${summary(issues)}`;
  return new CallError("VALIDATION_ERROR", message, { issues, outcome: "not_applied" });
}

/** Whether a value fits when texts of digits stand for the integers that they are. */
function fitsWithDigits(schema: CompiledSchema, value: unknown): boolean {
  const { value: numbers, changes } = normalise(schema.schema, value, { digits: "number" });
  return changes.length > 0 && schema.check(numbers);
}

/** The input as the handler gets it, or a VALIDATION_ERROR that names every problem. */
function checkInput(
  id: string,
  schema: CompiledSchema | undefined,
  given: unknown,
  options?: InputOptions,
): unknown {
  const input = given === undefined ? {} : given;
  if (schema === undefined) return input;
  if (schema.check(input)) {
    return schema.traits.hasDefaults
      ? normalise(schema.schema, input, { defaults: true }).value
      : input;
  }
  const decode = options?.decode === true;
  const read = normalise(schema.schema, input, { defaults: true, decode, lists: decode });
  if (read.changes.length > 0 && schema.check(read.value)) return read.value;
  if (schema.takesDigits && fitsWithDigits(schema, read.value)) return read.value;
  // What could be read is no mistake, and of a list the item that is wrong is the news.
  throw invalidInput(id, schema.issues(read.value));
}

/** Puts allowed values and near names, which only the JSON Schema knows, to what the library says. */
function withHints(issues: readonly Issue[], known: readonly Issue[]): Issue[] {
  return issues.map((issue) => {
    const hint = known.find(({ path, allowed }) => path === issue.path && allowed !== undefined);
    return hint === undefined ? issue : { ...hint, message: issue.message };
  });
}

/**
 * As `checkInput`, by the library the schema was written with. What it refuses is read once more
 * with JSON that came as text decoded, where that was asked for.
 */
async function parseInput(
  id: string,
  parse: NonNullable<OperationSpec["parseInput"]>,
  given: unknown,
  schema?: CompiledSchema,
  options?: InputOptions,
): Promise<unknown> {
  const input = given === undefined ? {} : given;
  const parsed = await parse(input);
  if (parsed.issues === undefined) return parsed.value;
  if (schema !== undefined && options?.decode === true) {
    const { value, changes } = normalise(schema.schema, input, { decode: true, lists: true });
    const again = changes.length === 0 ? parsed : await parse(value);
    if (again.issues === undefined) return again.value;
  }
  const known = schema === undefined || schema.check(input) ? [] : schema.issues(input);
  throw invalidInput(id, withHints(parsed.issues, known));
}

const DECODE = { decode: true } as const;

/** Named params as a handler gets them; a promise only where a schema library reads them. */
export function checkParams(entry: Entry, schemas: Schemas, named: unknown): unknown {
  const parse = entry.spec.parseInput;
  return parse === undefined
    ? checkInput(entry.id, schemas.input, named, DECODE)
    : parseInput(entry.id, parse, named, schemas.input, DECODE);
}
