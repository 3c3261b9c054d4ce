import { isRecord } from "../envelope/index.ts";
import type { CardRouteName } from "./card.ts";
import { choosePart } from "./choose-part.ts";
import type { ChosenPart } from "./choose-part.ts";
import { commandRequest } from "./command-request.ts";
import { MappingError, evaluate } from "./mapping/index.ts";
import type { MappingScope } from "./mapping/index.ts";
import type { PreparedCard, PreparedGraphql } from "./prepared.ts";
import type { CardRequest, CardScope, GraphqlRequest } from "./request.ts";
import { restRequest } from "./rest-request.ts";
import { checkInclude, inputScope, mapInput } from "./scope.ts";

function graphqlRequest(part: PreparedGraphql, scope: MappingScope): GraphqlRequest {
  const { value } = evaluate(part.variables, scope);
  if (!isRecord(value)) throw new MappingError("", "the variables must be an object");
  return {
    kind: "graphql",
    operationName: part.document.operationName,
    document: part.document.text,
    variables: value,
    prepared: part.document,
  };
}

export function partRequest(part: ChosenPart["part"], scope: MappingScope): CardRequest {
  switch (part.kind) {
    case "graphql":
      return graphqlRequest(part, scope);
    case "rest":
      return restRequest(part, scope);
    case "command":
      return commandRequest(part, scope);
  }
}

/**
 * Builds the request of a call on a route. With `cli.use`, the GitHub CLI sends the request of
 * another route. Throws VALIDATION if the input cannot be requested.
 */
export function buildRequest(
  card: PreparedCard,
  route: CardRouteName,
  scope: CardScope,
): CardRequest {
  checkInclude(card, scope.include);
  const { part } = choosePart(card, route, scope);
  return mapInput(card, () => partRequest(part, inputScope(card, scope)));
}
