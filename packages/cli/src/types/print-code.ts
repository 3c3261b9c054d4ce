import { listMember, resultSchema } from "@waybill/code";
import { camelCasedId } from "@waybill/core/protocol";
import { isRecord, projectSchema } from "@waybill/core/schema";
import type { JsonSchema, OperationSpec } from "@waybill/core";
import { printType } from "./print-type.ts";

const MAX_SCHEMA_CHARS = 20_000;

/**
 * The words of ids as a tree. In this tree `pr.merge` can be called and also contains
 * `pr.merge.status`.
 */
interface Branch {
  spec?: OperationSpec;
  readonly below: Map<string, Branch>;
}

const HEAD = `// Written by \`waybill types --code\`; write it again when the configuration changes.
// The globals of a program that \`waybill code\` runs.

interface WaybillPage<Item> {
  readonly items: readonly Item[];
  /** Pass it as \`cursor\` to get the next page. */
  readonly cursor: string | null;
}

interface WaybillResult<Output> {
  readonly ok: boolean;
  readonly data: Output | null;
  readonly error: { code: string; message: string; retryable: boolean; details?: object } | null;
  readonly meta: object;
}

/** A call takes a reference, such as "owner/name#1", and an object, either optional. */
interface WaybillCall<Input, Output> {
  (input?: Input): Promise<Output>;
  (reference: string | number, input?: Partial<Input>): Promise<Output>;
  result(input?: Input): Promise<WaybillResult<Output>>;
  result(reference: string | number, input?: Partial<Input>): Promise<WaybillResult<Output>>;
}

/** A list is an array of all items, or of \`limit\` items. Other members of the result are on it. */
interface WaybillList<Input, Item, Others> extends WaybillCall<Input & { limit?: number }, Item[] & Others> {
  page(input?: Input & WaybillPaging): Promise<WaybillPage<Item>>;
  page(reference: string | number, input?: Partial<Input> & WaybillPaging): Promise<WaybillPage<Item>>;
}

interface WaybillPaging {
  cursor?: string;
  limit?: number;
}

declare const waybill: {
  search(words: string): Promise<{ id: string; signature: string; description: string }[]>;
  signature(id: string): Promise<string>;
  call(id: string, ...args: unknown[]): Promise<unknown>;
};
`;

function typeText(schema: JsonSchema): string {
  return printType(projectSchema(schema, MAX_SCHEMA_CHARS).schema);
}

interface ListSchemas {
  readonly item: JsonSchema;
  /** The type of a result without its `items`. */
  readonly others: { readonly properties: object };
}

function listSchemas(spec: OperationSpec, member: string): ListSchemas {
  const schema = resultSchema(spec);
  const known = isRecord(schema) && isRecord(schema["properties"]) ? schema["properties"] : {};
  const list = member === "" ? schema : known[member];
  const { [member]: _items, pageInfo: _page, ...properties } = known;
  const required = isRecord(schema) ? schema["required"] : undefined;
  const others = { type: "object", properties, ...(required !== undefined && { required }) };
  return { item: isRecord(list) && isRecord(list["items"]) ? list["items"] : true, others };
}

function callType(spec: OperationSpec): string {
  const input = typeText(spec.inputSchema);
  const member = listMember(spec);
  if (member === undefined) return `WaybillCall<${input}, ${typeText(spec.outputSchema)}>`;
  const { item, others } = listSchemas(spec, member);
  const isAlone = Object.keys(others.properties).length === 0;
  const rest = isAlone ? "unknown" : printType(others);
  return `WaybillList<${input}, ${typeText(item)}, ${rest}>`;
}

function comment({ description }: OperationSpec): string {
  const [line = ""] = description.split(/\r?\n/u, 1);
  return `/** ${line.slice(0, 200).replaceAll("*/", "* /")} */`;
}

function nameText(word: string): string {
  return /^[A-Za-z_$][\w$]*$/u.test(word) ? word : JSON.stringify(word);
}

function branchType({ spec, below }: Branch, indent: string): string {
  const members = [...below].map(([word, branch]) => {
    const told = branch.spec === undefined ? "" : `${indent}  ${comment(branch.spec)}\n`;
    return `${told}${indent}  ${nameText(word)}: ${branchType(branch, `${indent}  `)};`;
  });
  const own = spec === undefined ? [] : [callType(spec)];
  const inner = members.length === 0 ? [] : [`{\n${members.join("\n")}\n${indent}}`];
  return [...own, ...inner].join(" & ");
}

function buildTree(specs: readonly OperationSpec[]): Branch {
  const root: Branch = { below: new Map() };
  for (const spec of specs) {
    let at = root;
    for (const word of camelCasedId(spec.id).split(".")) {
      const next = at.below.get(word) ?? { below: new Map<string, Branch>() };
      at.below.set(word, next);
      at = next;
    }
    at.spec = spec;
  }
  return root;
}

/** Generates a file with the types of everything that a program can use, for editors. */
export function printCodeTypes(specs: readonly OperationSpec[]): string {
  const globals = [...buildTree(specs).below].map(
    ([word, branch]) => `declare const ${nameText(word)}: ${branchType(branch, "")};\n`,
  );
  return [HEAD, ...globals].join("\n");
}
