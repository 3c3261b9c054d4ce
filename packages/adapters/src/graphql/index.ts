export { canMerge, mergeDocuments } from "./documents-merge.ts";
export type {
  MergeStep,
  MergedDocument,
  SplitAnswer,
  StepAnswer,
  UpstreamError,
} from "./documents-merge.ts";
export { rootFields, readGraphql } from "./graphql-answer.ts";
export type { GraphqlBody, GraphqlFields } from "./graphql-answer.ts";
export { graphqlRoute } from "./graphql-route.ts";
export type { GraphqlRouteOptions } from "./graphql-route.ts";
export { PERSISTED } from "./persisted-documents.ts";
export type { Persisted } from "./persisted-documents.ts";
export { OWN_DOCUMENT_INPUT } from "./source/own-document-input.ts";
export { graphqlSource, withoutPromise } from "./graphql-source.ts";
export type { GraphqlSourceOptions } from "./graphql-source.ts";
