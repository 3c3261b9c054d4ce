import { errorFromUnknown } from "@waybill/core";
import { SchemaCache, inputNames, isRecord, nearestNames, normalise } from "@waybill/core/schema";
import type { OperationSpec } from "@waybill/core";
import type { CompiledSchema } from "@waybill/core/schema";
import type { WrittenArgument, WrittenCall } from "../sandbox/index.ts";
import {
  findPaging,
  inputFrom,
  listMember,
  listProperties,
  signatureText,
} from "../surface/index.ts";
import type { Target } from "./catalogue.ts";
import { withoutSizes } from "./read-list.ts";

/** Stands for a value that is known only when the program runs. */
const COMPUTED = Symbol("computed");
const PAGE_MEMBERS = ["cursor", "limit"];
const DECODED = { decode: true, lists: true } as const;
const cache = new SchemaCache({ fewChecks: true });
const schemasOfParts = new WeakMap<OperationSpec, CompiledSchema>();

type Input = Readonly<Record<string, unknown>>;

function knownValue(facts: WrittenArgument | undefined): unknown {
  switch (facts?.kind) {
    case "value":
      return facts.value;
    case "object":
      return {
        ...facts.known,
        ...Object.fromEntries(facts.computed.map((name) => [name, COMPUTED])),
      };
    default:
      return undefined;
  }
}

/** The input of a call, if the program's text shows it; undefined if it shows too little. */
function writtenInput({ spec }: Target, { args }: WrittenCall): Input {
  const [first, second] = args;
  const isComputed = first?.kind === "text" || first?.kind === "unknown";
  const rest = knownValue(second);
  if (isComputed) return isRecord(rest) ? rest : {};
  return inputFrom(spec, args.map(knownValue));
}

/** Whether the call may have inputs that the text does not show. */
function isOpen({ args, isOpen: hasSpread }: WrittenCall): boolean {
  return (
    hasSpread ||
    args.some(
      (arg) =>
        arg.kind === "unknown" || arg.kind === "text" || (arg.kind === "object" && arg.isOpen),
    )
  );
}

/** All names and aliases of the inputs; undefined if the capability accepts any name. */
function knownNames({ inputSchema, aliases, looseInput }: OperationSpec): string[] | undefined {
  const names = inputNames(inputSchema);
  const takesAny = names === undefined || (looseInput === true && names.size === 0);
  return takesAny ? undefined : [...names, ...Object.values(aliases ?? {}).flat()];
}

const PAGING = /^(?:per_?page|page|page_?size|limit|max_?results|offset|cursor|count)$/iu;

/** Programs need no paging inputs, because a list is read completely. */
function pagingHint(spec: OperationSpec, name: string): string {
  if (!PAGING.test(name) || listMember(spec) === undefined) return "";
  return ` Lists are complete; take a part with .slice(0, n), or a page with ${spec.id}.page(…).`;
}

/** Inputs of other tools that select members of the result. */
const CHOOSING = /^(?:json|jq|fields|select|field_?names|minimal_?output|template|columns)$/iu;

/** The JavaScript that replaces an input of another tool; "" if there is none. */
function jsHint(spec: OperationSpec, name: string): string {
  if (CHOOSING.test(name) && spec.effect === "read") {
    return " The result has all members; take what you need, as in .map(({ title }) => title).";
  }
  return /^(?:page|offset)$/iu.test(name) ? pagingHint(spec, name) : "";
}

/** The error for an input that other tools have, such as `page`, and a program replaces by JavaScript. */
function jsInstead(spec: OperationSpec, input: Input): string | undefined {
  const known = knownNames(spec);
  const name = Object.keys(input).find(
    (each) => known?.includes(each) === false && jsHint(spec, each) !== "",
  );
  return name === undefined
    ? undefined
    : `"${name}" is not an input of ${spec.id}.${jsHint(spec, name)}`;
}

function unknownInput(spec: OperationSpec, input: Input): string | undefined {
  const known = knownNames(spec);
  const name = known && Object.keys(input).find((each) => !known.includes(each));
  if (name === undefined) return undefined;
  const [near] = nearestNames(name, known!, 1);
  const meant = near === undefined ? pagingHint(spec, name) : ` Did you mean "${near}"?`;
  return `"${name}" is not an input of ${spec.id}.${meant}`;
}

function missingInput(spec: OperationSpec, input: Input): string | undefined {
  const required = isRecord(spec.inputSchema) ? spec.inputSchema["required"] : undefined;
  if (!Array.isArray(required)) return undefined;
  const missing = required.filter(
    (name) => typeof name === "string" && !Object.hasOwn(input, name),
  );
  return missing.length === 0 ? undefined : `${spec.id} needs ${missing.join(", ")}.`;
}

/** The input's schema without required members, for an input that is only partly known. */
async function partSchema(spec: OperationSpec): Promise<CompiledSchema | undefined> {
  if (!isRecord(spec.inputSchema) || spec.parseInput !== undefined) return undefined;
  const known = schemasOfParts.get(spec);
  if (known !== undefined) return known;
  const { required: _, ...schema } = spec.inputSchema;
  const compiled = await cache.compile(cache.slot(schema));
  schemasOfParts.set(spec, compiled);
  return compiled;
}

/**
 * The path of an integer that lost digits when the program was parsed; undefined if there is none.
 */
function roundedNumber(value: unknown, path = ""): string | undefined {
  if (typeof value === "number") {
    return Number.isInteger(value) && !Number.isSafeInteger(value) ? path : undefined;
  }
  if (typeof value !== "object" || value === null) return undefined;
  for (const [name, member] of Object.entries(value)) {
    const found = roundedNumber(member, path === "" ? name : `${path}/${name}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A JavaScript number has 53 bits, so a longer id would name another record. */
function inexactInput({ id, takesDigits }: OperationSpec, input: Input): string | undefined {
  const path = takesDigits === true ? roundedNumber(input) : undefined;
  if (path === undefined) return undefined;
  return `"${path}" of ${id} has more digits than a JavaScript number can hold. Write it as a string.`;
}

/** The mistake in a literal value, found by the same check as when the call runs. */
async function wrongValue(spec: OperationSpec, input: Input): Promise<string | undefined> {
  const schema = await partSchema(spec);
  const known = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== COMPUTED));
  if (schema === undefined || schema.check(known)) return undefined;
  const digits = spec.takesDigits === true ? ({ digits: "number" } as const) : {};
  const { value } = normalise(schema.schema, known, { ...DECODED, ...digits });
  if (schema.check(value)) return undefined;
  const issue = schema.issues(value).find(({ path, missing }) => path !== "" && missing !== true);
  if (issue === undefined) return undefined;
  if (issue.message === "is not a known name here") {
    return `"${issue.path.slice(1)}" is not an input of ${spec.id}.`;
  }
  const allowed = issue.allowed === undefined ? "" : ` (${issue.allowed.map(String).join(", ")})`;
  return `"${issue.path.slice(1)}" of ${spec.id} ${issue.message}${allowed}.`;
}

/** The input with the capability's own names. Parts that cannot be read stay as they are. */
function normalised(spec: OperationSpec, input: Input): Input {
  const named = new Map(Object.entries(spec.normaliseInput?.(input) ?? input));
  for (const [name, others] of Object.entries(spec.aliases ?? {})) {
    const other = named.has(name) ? undefined : others.find((each) => named.has(each));
    if (other === undefined) continue;
    named.set(name, named.get(other));
    named.delete(other);
  }
  return Object.fromEntries(named);
}

/** The input without members that select a page or a number of items, which are not sent. */
function ownInput({ spec, form }: Target, written: Input): Input {
  if (form === "page") return withoutPage(spec, written);
  return form === "data" && listMember(spec) !== undefined ? withoutSizes(spec, written) : written;
}

/** Why a call of `.page` is wrong: its capability has no pages. */
export function pageProblem({ spec, form }: Target): string | undefined {
  const isPaged = listMember(spec) !== undefined || findPaging(spec) !== undefined;
  if (form !== "page" || isPaged) return undefined;
  return `${spec.id} does not return a list, so it has no pages. Leave out .page.`;
}

/** The mistake in a call that is visible in the program's text; undefined if there is none. */
export async function checkCall(target: Target, call: WrittenCall): Promise<string | undefined> {
  const { spec } = target;
  const noPage = pageProblem(target);
  if (noPage !== undefined) return noPage;
  if (spec.checkedElsewhere === true) return undefined;
  try {
    const written = { ...target.implied, ...writtenInput(target, call) };
    const own = ownInput(target, written);
    const otherWay = jsInstead(spec, own);
    if (otherWay !== undefined) return otherWay;
    const input = normalised(spec, own);
    const problem =
      unknownInput(spec, input) ??
      (isOpen(call) ? undefined : missingInput(spec, input)) ??
      inexactInput(spec, input) ??
      (await wrongValue(spec, input));
    return problem === undefined ? undefined : `${problem} ${signatureText(spec)}`;
  } catch (thrown) {
    // A partly known input is not an error here, because it may be valid together with its unknown
    // part.
    return isOpen(call) ? undefined : errorFromUnknown(thrown).message;
  }
}

/** Removes the members of the argument of `.page` that are not inputs. */
export function withoutPage(spec: OperationSpec, input: Input): Input {
  const known = knownNames(spec) ?? Object.keys(listProperties(spec.inputSchema));
  return Object.fromEntries(
    Object.entries(input).filter(([name]) => known.includes(name) || !PAGE_MEMBERS.includes(name)),
  );
}
