import { describeInputs, isRecord } from "@waybill/core/schema";
import type { OperationSpec } from "@waybill/core";
import { listMember, findPaging, listProperties } from "./lists.ts";
import { numberInput } from "./reference.ts";
import { resultSchema } from "./result-schema.ts";

const MAX_MEMBERS = 30;
const MAX_CHOICES = 6;
/** Paging inputs. They are left out, because a program gets the whole list. */
const PAGE_INPUTS = new Set(["first", "after", "limit", "cursor"]);

type Members = Readonly<Record<string, unknown>>;

function choices(schema: Members): string | undefined {
  const values = schema["enum"];
  if (!Array.isArray(values) || values.length > MAX_CHOICES) return undefined;
  return values.map((value) => JSON.stringify(value)).join("|");
}

/** The type of an input. Strings and numbers are left out, because their names are enough. */
function inputType(schema: unknown, depth: number): string {
  if (!isRecord(schema)) return "";
  const forms = [schema["anyOf"], schema["oneOf"]].find((list) => Array.isArray(list));
  const form = (forms as unknown[] | undefined)?.find(
    (each) => isRecord(each) && each["type"] !== "null",
  );
  if (form !== undefined) return inputType(form, depth);
  if (isRecord(schema["items"])) return `${inputType(schema["items"], depth)}[]`;
  const properties = schema["properties"];
  if (isRecord(properties) && depth > 0) return memberList(properties, depth - 1);
  return choices(schema) ?? "";
}

function memberText(name: string, schema: unknown, depth: number): string {
  const type = inputType(schema, depth);
  if (type === "") return name;
  return type === "[]" ? `${name}[]` : `${name}: ${type}`;
}

function memberList(properties: Members, depth: number): string {
  const members = Object.entries(properties)
    .slice(0, MAX_MEMBERS)
    .map(([name, schema]) => memberText(name, schema, depth));
  return `{${members.join(", ")}}`;
}

function outputText(spec: OperationSpec): string {
  const schema = resultSchema(spec);
  const member = listMember(spec);
  if (member === undefined) return inputType(schema, 2) || "unknown";
  const list = member === "" ? schema : listProperties(schema)[member];
  return inputType(list, 2) || "unknown[]";
}

function isReferenced(spec: OperationSpec): boolean {
  const properties = listProperties(spec.inputSchema);
  return Object.hasOwn(properties, "owner") && Object.hasOwn(properties, "name");
}

/** The inputs that a reference replaces. */
function referenceInputs(spec: OperationSpec): ReadonlySet<string> {
  if (!isReferenced(spec)) return new Set();
  const { required } = describeInputs(spec.inputSchema);
  const number = numberInput(spec);
  const isNumbered = number !== undefined && required.some((name) => inputName(name) === number);
  return new Set(["owner", "name", ...(isNumbered ? [number] : [])]);
}

/** Removes the type: `state:string=open|closed` becomes `state`. */
function inputName(described: string): string {
  return /^[^:=]+/.exec(described)?.[0] ?? described;
}

function inputText(spec: OperationSpec, name: string, isRequired: boolean): string {
  const schema = listProperties(spec.inputSchema)[name];
  const type = inputType(schema, 1);
  const mark = isRequired ? "" : "?";
  return type === "" ? `${name}${mark}` : `${name}${mark}: ${type}`;
}

/** `pr.list("owner/name", {state?: "open"|"closed"}): {number, title}[]`, in few tokens. */
export function signatureText(spec: OperationSpec): string {
  const { required, optional } = describeInputs(spec.inputSchema);
  const given = referenceInputs(spec);
  const isPaged = findPaging(spec) !== undefined;
  const isShown = (name: string): boolean =>
    !given.has(name) && !(isPaged && PAGE_INPUTS.has(name));
  const inputs = [
    ...required
      .map(inputName)
      .filter(isShown)
      .map((name) => inputText(spec, name, true)),
    ...optional
      .map(inputName)
      .filter(isShown)
      .map((name) => inputText(spec, name, false)),
  ];
  const number = [...given].length === 3 ? "#1" : "";
  const reference = given.size === 0 ? [] : [`"owner/name${number}"`];
  const object = inputs.length === 0 ? [] : [`{${inputs.join(", ")}}`];
  return `${spec.id}(${[...reference, ...object].join(", ")}): ${outputText(spec)}`;
}
