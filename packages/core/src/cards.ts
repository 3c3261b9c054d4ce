// For authors of cards, routes and sources. Every exported name is stable.
export {
  graphqlFailure,
  graphqlStatusFailure,
  httpFailure,
  jsonRpcFailure,
  retryAfter,
} from "./envelope/index.ts";
export type {
  HttpResponseInfo,
  PipelineMeta,
  UpstreamFailure,
  UpstreamHeaders,
} from "./envelope/index.ts";
export { EFFECTS } from "./operation/index.ts";
export { wrapCursor } from "./execute/index.ts";
export {
  attachSource,
  lateSource,
  outsideSchema,
  outsideText,
  packSummaries,
  placedSource,
  unpackSummaries,
} from "./source/index.ts";
export type {
  AttachedSource,
  IdStep,
  KeptOperations,
  LateOperation,
  LateOperations,
} from "./source/index.ts";
export type { WordIndex } from "./registry/index.ts";
export {
  CARD_ROUTES,
  CardSchema,
  cardProblem,
  cardSpec,
  cardTable,
  checkCard,
  evaluate,
  formatProblem,
  prepareCard,
  prepareMapping,
} from "./cards/index.ts";
export type {
  CardCli,
  CardDocuments,
  CardFunctions,
  CardGraphql,
  CardLimits,
  CardLookup,
  CardProblem,
  CardRequest,
  CardRest,
  CardRouteName,
  CardRouting,
  CardStep,
  CardScope,
  CardSurroundings,
  CardTable,
  CardVerify,
  CommandRequest,
  DocumentTemplate,
  Expression,
  GraphqlRequest,
  Mapping,
  MappingScope,
  NodeTerm,
  PreparedCard,
  PreparedDocument,
  PreparedMapping,
  RestRequest,
} from "./cards/index.ts";
export { keptFor } from "./budget/index.ts";
export type { KeptEnd } from "./budget/index.ts";
export { matchesId, mayCall } from "./policy/index.ts";
export { MIN_SECRET_LENGTH, explainCard, isSecretName } from "./execute/index.ts";
export {
  AccountGate,
  cardOperation,
  compareVersions,
  oneRouteOperation,
  runForCallers,
} from "./router/index.ts";
export type {
  AccountCaller,
  AccountLimit,
  CallerRuns,
  CardKit,
  CardRoute,
  EnvironmentInfo,
  FactName,
  FactSource,
  FieldError,
  LimitStore,
  OneRoute,
  ProgramRequest,
  ProgramRunner,
  RequestedPage,
  RouteAnswer,
  RoutedRequest,
  SourceAccounts,
} from "./router/index.ts";
