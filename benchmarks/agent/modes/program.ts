import type { Json, Params, Step } from "../types.ts";

/** A program of an agent, and how its answer is told as the envelopes of the steps. */
export interface Program {
  readonly text: string;
  /** Whether it returns one value, which is printed as it is. */
  readonly isScalar?: true;
  /** The data of each step that is asked for, from what the program returned. */
  readonly dataOf: (returned: unknown) => unknown[];
}

const ITEMS = /^items\./u;
/** Lists are whole, so nobody asks for a page. */
const PAGING = ["first", "after"];

function literal(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const members = Object.entries(value).map(([name, inner]) => `${name}:${literal(inner)}`);
  return `{${members.join(",")}}`;
}

/** The thing that a call is about, as its reference: `"octo/hello#1"`. */
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

/** `({number,title})=>({number,title})`, or for one field `i=>i.number`. */
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

/** A list stands in its capability's answer as `items`. */
export function wholeData(value: unknown): unknown[] {
  return [Array.isArray(value) ? { items: value } : value];
}

/** A call with the fields that are asked for, as an expert writes it. */
export function programFor(step: Step): Program {
  if (isList(step)) return listProgram(step);
  if (selectedFields(step).length > 0) return objectProgram(step);
  return { text: callText(step), dataOf: wholeData };
}
