import { lateSource, oneRouteOperation } from "@waybill/core/cards";
import type { Operation, OperationSpec, Source } from "@waybill/core";
import type { LateOperations } from "@waybill/core/cards";
import { checkManifest } from "./source/check-manifest.ts";
import { CommandRoute } from "./source/command-route.ts";
import type { CommandRouteOptions } from "./source/command-route.ts";
import type { ManifestOperation } from "./source/manifest.ts";

export interface CommandSourceOptions extends CommandRouteOptions {
  readonly name: string;
  /**
   * The manifest that describes the program's operations. It is checked when the source is
   * listed.
   */
  readonly manifest: unknown;
}

const OUTPUT_SCHEMAS = {
  json: true,
  lines: { type: "array", items: { type: "string" } },
  ndjson: { type: "array" },
  text: { type: "string" },
} as const;

function unconfirmed(id: string, program: string): string {
  return `${id} was guessed from ${program} --help: check it in the manifest, and remove "guess: true" there`;
}

function commandSpec(id: string, operation: ManifestOperation, program: string): OperationSpec {
  const { description, effect = "write", input = {}, required = [] } = operation;
  return {
    id,
    description,
    effect,
    idempotent: operation.idempotent ?? effect === "read",
    ...(effect === "read" && { safe: true }),
    kind: "call",
    parameters: Object.keys(input),
    ...(operation.guess === true && { needsTrust: unconfirmed(id, program) }),
    takesDigits: true,
    inputSchema: { type: "object", properties: input, required, additionalProperties: false },
    outputSchema: operation.output_schema ?? OUTPUT_SCHEMAS[operation.output ?? "text"],
  };
}

/** Creates a source for a program. Its manifest describes the operations. */
export function commandSource(options: CommandSourceOptions): Source {
  const { name } = options;
  const load = async (): Promise<LateOperations> => {
    const { manifest, problems } = await checkManifest(name, options.manifest);
    const operations = Object.entries(manifest.operations).map(([key, operation]) => {
      const spec = commandSpec(`${name}.${key}`, operation, manifest.program);
      const make = (): Operation =>
        oneRouteOperation(new CommandRoute(spec, operation, manifest, options));
      return { summary: spec, make };
    });
    return { operations, problems };
  };
  return lateSource(name, load, "cli");
}
