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
  CardStep,
  CardVerify,
  Expression,
  Mapping,
  SuitabilityRule,
  VerifyKind,
} from "./card.ts";
export { cardProblem, formatProblem } from "./card-problem.ts";
export type { CardProblem } from "./card-problem.ts";
export { CardSchema } from "./card-schema.ts";
export { cardTable } from "./card-table.ts";
export type { CardTable } from "./card-table.ts";
export { checkCard } from "./check-card.ts";
export type { CardSurroundings } from "./check-card.ts";
export { choosePart } from "./choose-part.ts";
export { findGroups } from "./find-groups.ts";
export { lackingPaths } from "./missing-fields.ts";
export { lookupRequests, lookupValue, notFoundMessage, openLookups } from "./lookups.ts";
export type { LookupRequest, OpenLookup } from "./lookups.ts";
export { mapOutput } from "./map-output.ts";
export type { MappedOutput } from "./map-output.ts";
export {
  boundedSearch,
  evaluate,
  Pending,
  prepareMapping,
  unknownFunction,
} from "./mapping/index.ts";
export type { MappingScope, PreparedMapping, SyntaxTree } from "./mapping/index.ts";
export { orderRoutes } from "./order-routes.ts";
export { cardReady, cardSpec, prepareCard } from "./prepare-card.ts";
export type {
  CardDocuments,
  DocumentTemplate,
  NodeTerm,
  PreparedDocument,
} from "./prepared-document.ts";
export type { OperationCard } from "./operation-card.ts";
export type { PreparedCard, PreparedProgram } from "./prepared.ts";
export type {
  CardFunctions,
  CardRequest,
  CardScope,
  CommandRequest,
  GraphqlRequest,
  RestRequest,
} from "./request.ts";
export { areStepsMeant, stepsOutput } from "./steps-output.ts";
export { readProbe, secondProbeRequest, verifiedOutput, verifyProbe } from "./verify-probe.ts";
export type { ProbeAnswer, ProbeRequest, VerifyProbe } from "./verify-probe.ts";
export {
  isTrue,
  looksOnlyAt,
  nameSteps,
  orderSteps,
  plainPath,
  prepareInput,
  readExpression,
  stepsNeeded,
} from "./steps/index.ts";
export type { ChainStep, NamedStep, Order, PreparedInput, StepExpression } from "./steps/index.ts";
