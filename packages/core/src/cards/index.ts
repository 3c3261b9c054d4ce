export { buildRequest } from "./build-request.ts";
export { CARD_ROUTES } from "./card.ts";
export type {
  Card,
  CardCli,
  CardGraphql,
  CardLimits,
  CardLookup,
  CardRest,
  CardRouteName,
  CardRouting,
  CardVerify,
  Expression,
  Mapping,
  SuitabilityRule,
} from "./card.ts";
export { cardProblem, formatProblem } from "./card-problem.ts";
export type { CardPlace, CardProblem } from "./card-problem.ts";
export { CardSchema } from "./card-schema.ts";
export { cardTable } from "./card-table.ts";
export type { CardTable } from "./card-table.ts";
export { checkCard } from "./check-card.ts";
export type { CardSurroundings, CheckedCard } from "./check-card.ts";
export { limitsOf, minVersionOf } from "./choose-part.ts";
export { lackingPaths } from "./lacking.ts";
export { lookupRequests, lookupValue } from "./lookups.ts";
export type { LookupRequest } from "./lookups.ts";
export { mapOutput } from "./map-output.ts";
export type { MappedOutput } from "./map-output.ts";
export { evaluate, holds, loadExpressions, prepareMapping } from "./mapping/index.ts";
export type { Evaluated, MappingScope, PreparedMapping } from "./mapping/index.ts";
export { orderRoutes } from "./order-routes.ts";
export type { OrderedRoute } from "./order-routes.ts";
export { cardReady, cardSpec, prepareCard } from "./prepare-card.ts";
export type { CardDocuments, DocumentTemplate, PreparedDocument } from "./prepared-document.ts";
export type { PreparedCard } from "./prepared.ts";
export type {
  CardFunctions,
  CardRequest,
  CardScope,
  CommandRequest,
  GraphqlRequest,
  RestRequest,
} from "./request.ts";
export { verifyProbe } from "./verify-probe.ts";
export type { VerifyProbe } from "./verify-probe.ts";
