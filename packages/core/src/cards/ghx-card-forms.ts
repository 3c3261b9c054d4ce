import { isRecord } from "../envelope/index.ts";
import type { Finding } from "./finding.ts";

const ROUTE_RULE =
  'is not read by Waybill; write the route that the predicate prefers: { route: cli, predicate: "params.first > `50`", reason: … }';
const ONE_ENDPOINT =
  "must name one endpoint; for several, write a list: rest: [{ when: …, method: GET, path: … }, { method: … }]";
const JMESPATH =
  "is not read by Waybill; write output in JMESPath over what the program prints: output: { fields: { id: id, author: author.login } }";

function ruleFindings(routing: unknown): Finding[] {
  const rules = isRecord(routing) ? routing["suitability"] : undefined;
  if (!Array.isArray(rules)) return [];
  return rules.flatMap((rule: unknown, index) =>
    isRecord(rule) && "when" in rule
      ? [{ pointer: `/routing/suitability/${index}/when`, message: ROUTE_RULE }]
      : [],
  );
}

function endpointFindings(rest: unknown): Finding[] {
  const endpoints = isRecord(rest) ? rest["endpoints"] : undefined;
  const isFine = endpoints === undefined || (Array.isArray(endpoints) && endpoints.length === 1);
  return isFine ? [] : [{ pointer: "/rest/endpoints", message: ONE_ENDPOINT }];
}

function jqFindings(cli: unknown): Finding[] {
  return isRecord(cli) && "jq" in cli ? [{ pointer: "/cli/jq", message: JMESPATH }] : [];
}

/** Finds syntax of ghx cards that Waybill cards write differently, and names the form to use. */
export function otherFormFindings(value: unknown): Finding[] {
  if (!isRecord(value)) return [];
  return [
    ...ruleFindings(value["routing"]),
    ...endpointFindings(value["rest"]),
    ...jqFindings(value["cli"]),
  ];
}
