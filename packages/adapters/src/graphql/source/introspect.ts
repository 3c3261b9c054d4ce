import type { GraphqlRequest } from "@waybill/core/cards";
import { getIntrospectionQuery } from "graphql";

/** The request that asks an endpoint for its schema. */
export function introspectionRequest(): GraphqlRequest {
  return {
    kind: "graphql",
    operationName: "IntrospectionQuery",
    document: getIntrospectionQuery({ descriptions: true, inputValueDeprecation: false }),
    variables: {},
  };
}
