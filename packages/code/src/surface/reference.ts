import { fail } from "@waybill/core";
import { isRecord } from "@waybill/core/schema";
import type { OperationSpec } from "@waybill/core";
import { listProperties } from "./lists.ts";

type Input = Readonly<Record<string, unknown>>;

/** `owner/name`, with an optional number: `octo/hello#3`. */
const IN_REPOSITORY = /^(?<owner>[\w.-]+)\/(?<name>[\w.-]+)(?:#(?<number>\d+))?$/u;
const ADDRESS = /^https?:\/\//u;
const MAX_SHOWN = 100;

function listRequired({ inputSchema }: OperationSpec): readonly string[] {
  const required = isRecord(inputSchema) ? inputSchema["required"] : undefined;
  return Array.isArray(required) ? required.filter((name) => typeof name === "string") : [];
}

function isNumberInput(spec: OperationSpec, name: string): boolean {
  const schema = listProperties(spec.inputSchema)[name];
  const type = isRecord(schema) ? schema["type"] : undefined;
  return type === "integer" || type === "number";
}

function isTextInput(spec: OperationSpec, name: string): boolean {
  const schema = listProperties(spec.inputSchema)[name];
  const type = isRecord(schema) ? schema["type"] : undefined;
  return type === "string" || (Array.isArray(type) && type.includes("string"));
}

function isOfRepository(spec: OperationSpec): boolean {
  const properties = listProperties(spec.inputSchema);
  return Object.hasOwn(properties, "owner") && Object.hasOwn(properties, "name");
}

/** The input that gets the number after `#`: the required one. */
export function numberInput(spec: OperationSpec): string | undefined {
  const names = [...listRequired(spec), ...Object.keys(listProperties(spec.inputSchema))];
  return names.find((name) => isNumberInput(spec, name) && !/^(?:first|limit|page)$/.test(name));
}

/** The reference that the capability accepts, such as `owner/name#1`. */
function usualReference(spec: OperationSpec): string {
  return `"owner/name${numberInput(spec) === undefined ? "" : "#1"}"`;
}

function notRepository(spec: OperationSpec, reference: string): Error {
  const shown = JSON.stringify(reference.slice(0, MAX_SHOWN));
  const message = `${spec.id} takes ${usualReference(spec)} as its first argument, not ${shown}.`;
  return fail("VALIDATION", message, { outcome: "not_applied" });
}

function notTaken(spec: OperationSpec, reference: unknown): Error {
  const shown = JSON.stringify(reference).slice(0, MAX_SHOWN);
  const names = Object.keys(listProperties(spec.inputSchema)).slice(0, 12);
  const inputs = names.length === 0 ? "It has no inputs." : `Its inputs are ${names.join(", ")}.`;
  const fit = names.find((name) => typeof reference === "string" && isTextInput(spec, name));
  const usual = fit === undefined ? "" : ` Name the input: ${spec.id}({ ${fit}: ${shown} }).`;
  const message = `${spec.id} cannot use ${shown} as its first argument. ${inputs}${usual}`;
  return fail("VALIDATION", message, { outcome: "not_applied" });
}

function inRepository(spec: OperationSpec, reference: string): Input | undefined {
  const { owner, name, number } = IN_REPOSITORY.exec(reference)?.groups ?? {};
  if (owner === undefined || name === undefined) return undefined;
  if (number === undefined) return { owner, name };
  const target = numberInput(spec);
  if (target === undefined) throw notTaken(spec, reference);
  return { owner, name, [target]: Number(number) };
}

/** The first missing required input with the type of the reference. */
function firstMissing(spec: OperationSpec, reference: unknown, input: Input): string | undefined {
  const fits = typeof reference === "number" ? isNumberInput : isTextInput;
  const isOpen = (name: string): boolean => !Object.hasOwn(input, name) && fits(spec, name);
  const required = listRequired(spec).filter(isOpen);
  const names = Object.keys(listProperties(spec.inputSchema)).filter(isOpen);
  return required[0] ?? (names.length === 1 ? names[0] : undefined);
}

function inputsFrom(spec: OperationSpec, reference: string | number, input: Input): Input {
  if (isOfRepository(spec) && typeof reference === "string") {
    const found = inRepository(spec, reference);
    if (found !== undefined) return found;
    if (ADDRESS.test(reference) && spec.normaliseInput !== undefined) return { url: reference };
  }
  const name = firstMissing(spec, reference, input);
  const isNoPart = name === "owner" && !Object.hasOwn(input, "name");
  if (typeof reference === "string" && isNoPart) throw notRepository(spec, reference);
  if (name === undefined) throw notTaken(spec, reference);
  return { [name]: reference };
}

/** Refuses a reference that contradicts the object, because a write could go to the wrong place. */
function assertAgreed(spec: OperationSpec, reference: Input, input: Input): void {
  for (const [name, value] of Object.entries(reference)) {
    const given = Object.hasOwn(input, name) ? input[name] : undefined;
    if (given === undefined || asText(given) === asText(value)) continue;
    const message = `${spec.id} was given ${name} twice: ${asText(value)} in the first argument, ${asText(given)} in the object.`;
    throw fail("VALIDATION", message, { outcome: "not_applied" });
  }
}

function asText(value: unknown): string {
  const text = typeof value === "string" ? value.toLowerCase() : JSON.stringify(value);
  return text.slice(0, MAX_SHOWN);
}

/** The input of a call from its arguments: a reference, an object, or both. */
export function inputFrom(spec: OperationSpec, args: readonly unknown[]): Input {
  const [first, second, ...more] = args;
  if (isRecord(first) && second === undefined) return first;
  if (first === undefined || first === null) return isRecord(second) ? second : {};
  const isReference = typeof first === "string" || typeof first === "number";
  const isPlain = second === undefined || second === null || isRecord(second);
  if (!isReference || !isPlain || more.length > 0) throw wrongArguments(spec, args);
  const input = isRecord(second) ? second : {};
  const referred = inputsFrom(spec, first, input);
  assertAgreed(spec, referred, input);
  return { ...referred, ...input };
}

/**
 * Whether the arguments come from `list.map(issue.view)`, which also passes the index and the list.
 */
function isMapped([, index, list]: readonly unknown[]): boolean {
  return Number.isInteger(index) && Array.isArray(list);
}

/** The required inputs that the reference does not contain, for an example in an error. */
function otherInputs(spec: OperationSpec): string {
  const inReference = new Set(["owner", "name", numberInput(spec)]);
  const others = listRequired(spec).filter(
    (name) => !isOfRepository(spec) || !inReference.has(name),
  );
  return others.length === 0 ? "{ … }" : `{ ${others.join(", ")} }`;
}

/** Explains the correct form of an invalid call. */
function wrongArguments(spec: OperationSpec, args: readonly unknown[]): Error {
  const { id } = spec;
  if (isMapped(args)) {
    const message = `.map(${id}) also passes the index and the list. Write .map((x) => ${id}(x)).`;
    return fail("VALIDATION", message, { outcome: "not_applied" });
  }
  const object = otherInputs(spec);
  const usual = isOfRepository(spec) ? `${usualReference(spec)}, ${object}` : object;
  const kinds = args.map((arg) =>
    Array.isArray(arg) ? "array" : arg === null ? "null" : typeof arg,
  );
  const message = `${id} takes a reference and an object, either optional: ${id}(${usual})`;
  return fail("VALIDATION", `${message}. It was called with (${kinds.join(", ")}).`, {
    outcome: "not_applied",
  });
}
