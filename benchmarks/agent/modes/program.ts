import type { Json, Params, Step } from "../types.ts";

/** An agent's program, and how to convert its answer to the envelopes of the steps. */
export interface Program {
  readonly text: string;
  /** Whether the program returns one plain value. */
  readonly isScalar?: true;
  /** The data of each step, from the returned value. */
  readonly dataOf: (returned: unknown) => unknown[];
}

const ITEMS = /^items\./u;
/** Paging inputs, which programs do not need because lists are complete. */
const PAGING = ["first", "after"];

function literal(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const members = Object.entries(value).map(([name, inner]) => `${name}:${literal(inner)}`);
  return `{${members.join(",")}}`;
}

/** The reference of a call, such as `"octo/hello#1"`, and its other inputs. */
function splitReference({ repo, number, ...others }: Params): [reference: string[], rest: Params] {
  if (typeof repo !== "string") {
    return [[], { ...others, ...(number !== undefined && { number }) }];
  }
  const reference = number === undefined ? repo : `${repo}#${literal(number).replaceAll('"', "")}`;
  return [[JSON.stringify(reference)], others];
}

function callText({ capability, params }: Step): string {
  const [reference, rest] = splitReference(params);
  const own = Object.fromEntries(Object.entries(rest).filter(([name]) => !PAGING.includes(name)));
  const inputs = Object.keys(own).length === 0 ? [] : [literal(own)];
  return `await ${capability}(${[...reference, ...inputs].join(",")})`;
}

function selectedFields({ select }: Step): string[] {
  return Array.isArray(select) ? select : [];
}

function isList(step: Step): boolean {
  const fields = selectedFields(step);
  return fields.length > 0 && fields.every((field) => ITEMS.test(field));
}

/**
 * A function that selects fields: `({number,title})=>({number,title})`, or `i=>i.number` for one
 * field.
 */
function picked(names: readonly string[]): string {
  const [only, ...others] = names;
  if (others.length === 0) return `i=>i.${only}`;
  const list = names.map((name) => name.split(".")[0]).join(",");
  return `({${list}})=>({${list}})`;
}

function listIn(returned: unknown): unknown[] {
  return Array.isArray(returned) ? returned : [];
}

function listProgram(step: Step): Program {
  const names = selectedFields(step).map((field) => field.replace(ITEMS, ""));
  const [only = "", ...others] = names;
  const items = (returned: unknown): unknown[] =>
    others.length > 0 ? listIn(returned) : listIn(returned).map((value) => ({ [only]: value }));
  return {
    text: `(${callText(step)}).map(${picked(names)})`,
    dataOf: (returned) => [{ items: items(returned) }],
  };
}

function isPlainName(name: string): boolean {
  return !name.includes(".");
}

function objectProgram(step: Step): Program {
  const names = selectedFields(step);
  const [only = "", ...others] = names;
  if (others.length === 0 && isPlainName(only)) {
    const dataOf = (value: unknown): unknown[] => [{ [only]: value }];
    return { text: `(${callText(step)}).${only}`, isScalar: true, dataOf };
  }
  const roots = [...new Set(names.map((name) => name.split(".")[0]))].join(",");
  return { text: `const {${roots}}=${callText(step)};({${roots}})`, dataOf: (value) => [value] };
}

/** Wraps a list as `items`, like the answer of a capability. */
export function wholeData(value: unknown): unknown[] {
  return [Array.isArray(value) ? { items: value } : value];
}

/** The program for one step with the requested fields, as an expert would write it. */
export function programFor(step: Step): Program {
  if (isList(step)) return listProgram(step);
  if (selectedFields(step).length > 0) return objectProgram(step);
  return { text: callText(step), dataOf: wholeData };
}
