import { projectSchema } from "@waybill/core/schema";
import type { JsonSchema, OperationSpec } from "@waybill/core";
import { printType } from "./print-type.ts";

/**
 * The longest printed schema. Some output schemas contain almost the whole API, so longer ones are
 * cut.
 */
const MAX_SCHEMA_CHARS = 20_000;

function schemaType(schema: JsonSchema): string {
  return printType(projectSchema(schema, MAX_SCHEMA_CHARS).schema);
}

/** Escapes text so that it cannot end the comment. */
function comment(text: string): string {
  const [line = ""] = text.split(/\r?\n/u, 1);
  return `/** ${line.slice(0, 200).replaceAll("*/", "* /")} */`;
}

function entry({ id, description, inputSchema, outputSchema }: OperationSpec): string {
  return [
    `    ${comment(description)}`,
    `    ${JSON.stringify(id)}: {`,
    `      input: ${schemaType(inputSchema)};`,
    `      output: ${schemaType(outputSchema)};`,
    "    };",
  ].join("\n");
}

/** The members of an interface: the types of each operation by its id. */
export function capabilityMembers(specs: readonly OperationSpec[]): string {
  return specs.map(entry).join("\n");
}

/**
 * Generates a file with types. `execute` knows these operations in every program that includes the
 * file.
 */
export function printCapabilityTypes(specs: readonly OperationSpec[]): string {
  return `// Written by \`waybill types\`; write it again when the configuration changes.
// Each input has only its proper name here. Calls also accept other names, such as repo.
import "@waybill/core";

declare module "@waybill/core" {
  interface Capabilities {
${capabilityMembers(specs)}
  }
}
`;
}
