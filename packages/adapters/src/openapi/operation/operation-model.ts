import type { JsonSchema } from "@waybill/core";
import { operationBody } from "./operation-body.ts";
import type { OperationBody } from "./operation-body.ts";
import type { OperationLocation } from "./operation-index.ts";
import { inputSchema, namedParameters } from "./operation-inputs.ts";
import type { NamedParameter } from "./operation-inputs.ts";
import { operationResponses, outputSchema } from "./operation-responses.ts";
import type { OperationResponses } from "./operation-responses.ts";
import { readParameters, rawParameters } from "./parameters.ts";
import type { Parameter } from "./parameters.ts";
import { asArray, asRecord } from "../document/raw.ts";
import { resolve } from "../document/references.ts";
import { alternatives } from "../security/security.ts";
import type { Alternatives, Requirement } from "../security/security.ts";
import { serverUrl } from "../security/servers.ts";
import type { ServerChoice } from "../security/servers.ts";
import type { Specification } from "../document/specification.ts";
import { upgradedBody } from "../document/swagger2.ts";

/**
 * Everything that a description says about one operation. Reading a member throws a SpecProblem
 * if that part of the description is invalid.
 */
export interface OperationModel {
  readonly place: OperationLocation;
  readonly parameters: readonly NamedParameter[];
  readonly body: OperationBody | undefined;
  readonly responses: OperationResponses;
  readonly security: Alternatives;
  readonly isDeprecated: boolean;
}

/** A member of an operation, or of the whole description if the operation does not have it. */
function inherited({ document }: Specification, keys: readonly string[], name: string): unknown {
  return document.at([...keys, name]) ?? document.at([name]);
}

function rawBody(
  specification: Specification,
  keys: readonly string[],
  raws: readonly Record<string, unknown>[],
): unknown {
  return specification.isSwagger
    ? upgradedBody(raws, inherited(specification, keys, "consumes"))
    : specification.document.at([...keys, "requestBody"]);
}

export function operationKeys({
  item,
  method,
  isAdditional,
}: OperationLocation): readonly string[] {
  return isAdditional === true ? [...item, "additionalOperations", method] : [...item, method];
}

function isSentAs({ scheme }: Requirement, parameter: Parameter): boolean {
  if (scheme.kind !== "apiKey" || scheme.in !== parameter.in) return false;
  return scheme.name === parameter.name;
}

/**
 * Some descriptions also list a credential as a parameter. Such a parameter is optional if the
 * credential is set.
 */
function unlessSigned(parameter: Parameter, security: Alternatives): Parameter {
  const isKey = security.flat().some((each) => isSentAs(each, parameter));
  return isKey ? { ...parameter, isRequired: false } : parameter;
}

/**
 * If several credentials are also required parameters, all of them are needed, even if the
 * description says that one is enough.
 */
function withRequiredKeys(security: Alternatives, parameters: readonly Parameter[]): Alternatives {
  const required = parameters.filter(({ isRequired }) => isRequired);
  const keys = security.flatMap((one) => (one.length === 1 ? one : []));
  const needed = keys.filter((each) => required.some((parameter) => isSentAs(each, parameter)));
  return needed.length > 1 ? [needed, ...security] : security;
}

export function readOperation(
  specification: Specification,
  place: OperationLocation,
): OperationModel {
  const { document } = specification;
  const keys = operationKeys(place);
  const lists = [document.at([...place.item, "parameters"]), document.at([...keys, "parameters"])];
  const raws = rawParameters(document, lists);
  const body = operationBody(document, rawBody(specification, keys, raws));
  const produces = specification.isSwagger ? inherited(specification, keys, "produces") : undefined;
  const read = readParameters(raws, place.path);
  const listed = alternatives(specification, document.at([...keys, "security"]));
  const security = withRequiredKeys(listed, read);
  const parameters = read.map((each) => unlessSigned(each, security));
  return {
    place,
    parameters: namedParameters(parameters, body),
    body,
    responses: operationResponses(document, document.at([...keys, "responses"]), produces),
    security,
    isDeprecated: document.at([...keys, "deprecated"]) === true,
  };
}

export function modelSchemas(
  { inputs, outputs }: Specification,
  { place, parameters, body, responses }: OperationModel,
): { input: JsonSchema; output: JsonSchema } {
  return {
    input: inputSchema(parameters, body, inputs),
    // The result of HEAD consists of its headers.
    output: place.method === "head" ? { type: "null" } : outputSchema(responses, outputs),
  };
}

export function operationServer(
  specification: Specification,
  place: OperationLocation,
  choice: ServerChoice,
): string {
  return serverUrl(specification, [operationKeys(place), place.item], choice);
}

/** Names of inputs, for searching. Empty if the inputs cannot be read. */
export function parameterNames(specification: Specification, place: OperationLocation): string[] {
  const { document } = specification;
  const keys = operationKeys(place);
  const names = [
    [...place.item, "parameters"],
    [...keys, "parameters"],
  ].flatMap((list) => {
    return asArray(document.at(list)).flatMap((raw) => nameIn(specification, raw));
  });
  return [...new Set(names)];
}

function nameIn({ document }: Specification, raw: unknown): string[] {
  try {
    const { name } = asRecord(resolve(document, raw));
    return typeof name === "string" ? [name] : [];
  } catch {
    return [];
  }
}
