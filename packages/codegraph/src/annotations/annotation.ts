import type { JsonSchemaObject } from "@waybill/core/schema";
import { ENTRYPOINT_KINDS } from "../graph/index.ts";
import type { EntrypointKind } from "../graph/index.ts";

/** A dependency that the code does not show. Both ends may be globs. */
interface EdgeNote {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly reason?: string;
}

/** A file that is an entry point, although the code does not show it. */
interface EntrypointNote {
  readonly id: string;
  readonly path: string;
  readonly type: EntrypointKind;
  readonly name?: string;
  readonly reason?: string;
}

/** Issues that people know and accept, given by id, or by kind and path. */
export interface Ignore {
  readonly id: string;
  readonly issueId?: string;
  readonly kind?: string;
  readonly path?: string;
  readonly reason?: string;
}

/** Facts about the code that people know and the code does not show. */
export interface Annotations {
  readonly edges: readonly EdgeNote[];
  readonly entrypoints: readonly EntrypointNote[];
  readonly ignores: readonly Ignore[];
}

export const NO_ANNOTATIONS: Annotations = Object.freeze({
  edges: [],
  entrypoints: [],
  ignores: [],
});

const TEXT: JsonSchemaObject = { type: "string", minLength: 1, maxLength: 512 };

function listSchema(
  required: readonly string[],
  properties: Record<string, JsonSchemaObject>,
): JsonSchemaObject {
  return {
    type: "array",
    maxItems: 10_000,
    items: {
      type: "object",
      additionalProperties: false,
      required: ["id", ...required],
      properties: { id: TEXT, reason: TEXT, ...properties },
    },
  };
}

/** The schema of `.waybill/graph/annotations.json`. */
export const AnnotationsSchema: JsonSchemaObject = {
  type: "object",
  additionalProperties: false,
  properties: {
    $schema: TEXT,
    version: { const: 1 },
    edges: listSchema(["from", "to"], { from: TEXT, to: TEXT }),
    entrypoints: listSchema(["path", "type"], {
      path: TEXT,
      type: { enum: ENTRYPOINT_KINDS },
      name: TEXT,
    }),
    ignores: listSchema([], { issueId: TEXT, kind: TEXT, path: TEXT }),
  },
};
