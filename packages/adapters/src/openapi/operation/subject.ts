import type { OperationSpec } from "@waybill/core";
import type { CallSubject } from "../operation-call.ts";
import type { OperationLocation } from "./operation-index.ts";
import { modelSchemas, readOperation } from "./operation-model.ts";
import type { OperationModel } from "./operation-model.ts";
import type { OperationOverride, PlaceSummary } from "./operation-summary.ts";
import { inferPaging } from "../answer/paging.ts";
import type { Specification } from "../document/specification.ts";

const EVENT_OUTPUT = {
  type: "object",
  properties: { event: { type: "string" }, id: { type: "string" }, data: {} },
  required: ["event", "data"],
};

function getScopes({ security }: OperationModel): string[] {
  const [first = []] = security;
  return [...new Set(first.flatMap(({ scopes }) => scopes))];
}

function getNotes(model: OperationModel): string[] {
  const scopes = getScopes(model);
  return [
    ...(model.isDeprecated ? ["deprecated"] : []),
    ...(scopes.length > 0 ? [`needs the scope ${scopes.join(", ")}`] : []),
  ];
}

/** The usual name of the header in which an operation accepts idempotency keys. */
function findKeyHeader(model: OperationModel, override: OperationOverride): string | undefined {
  const declared = model.parameters.find(
    ({ parameter }) =>
      parameter.in === "header" && parameter.name.toLowerCase() === "idempotency-key",
  );
  return (override.idempotencyHeader ?? declared?.parameter.name)?.toLowerCase();
}

/** Removes the idempotency header from the inputs, because the key of the call sets it. */
function withoutKey(model: OperationModel, keyHeader: string | undefined): OperationModel {
  if (keyHeader === undefined) return model;
  const parameters = model.parameters.map((named) => {
    const { parameter } = named;
    const isKey = parameter.in === "header" && parameter.name.toLowerCase() === keyHeader;
    return isKey ? { ...named, parameter: { ...parameter, isRequired: false } } : named;
  });
  return { ...model, parameters };
}

function openapiSpec(
  specification: Specification,
  summary: PlaceSummary,
  model: OperationModel,
): OperationSpec {
  const { input, output } = modelSchemas(specification, model);
  const notes = getNotes(model);
  const { id, description, effect, idempotent, kind, exposed, safe } = summary;
  return {
    id,
    description,
    effect,
    idempotent,
    kind,
    exposed,
    ...(safe && { safe }),
    parameters: model.parameters.map(({ key }) => key),
    inputSchema: input,
    outputSchema: kind === "subscription" ? EVENT_OUTPUT : output,
    takesDigits: true,
    looseInput: true,
    ...(notes.length > 0 && { notes }),
  };
}

/** Reads as much of an operation as a call or an explanation needs. */
export function readSubject(
  specification: Specification,
  summary: PlaceSummary,
  place: OperationLocation,
  override: OperationOverride,
  server: () => string,
): CallSubject {
  const read = readOperation(specification, place);
  const keyHeader = findKeyHeader(read, override);
  const model = withoutKey(read, keyHeader);
  const spec = openapiSpec(specification, summary, model);
  const paging = inferPaging(model, spec.inputSchema);
  return {
    id: summary.id,
    spec: { ...spec, pages: paging !== undefined },
    model,
    // Uses a getter, because operations can be explained even if the description has no server.
    get server() {
      return server();
    },
    paging,
    takesEtag: model.parameters.some(({ parameter }) =>
      /^if-(?:none-)?match$/iu.test(parameter.name),
    ),
    keyHeader,
  };
}
