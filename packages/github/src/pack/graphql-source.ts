import { OWN_DOCUMENT_INPUT, withoutPromise } from "@waybill/adapters/graphql";
import { agentErrorCode, errorFromUnknown, fail } from "@waybill/core";
import { lateSource, oneRouteOperation, placedSource } from "@waybill/core/cards";
import type { Effect, OperationSpec, OperationSummary, Skip, Source } from "@waybill/core";
import type { CardKit, GraphqlRequest, LateOperation, RoutedRequest } from "@waybill/core/cards";
import { githubKit } from "./kit.ts";
import type { GithubSurroundings } from "./surroundings.ts";
import type { GithubHost } from "./github-host.ts";
import type { JudgedDocument } from "./graphql-documents.ts";
import type { Params } from "./reading.ts";

type Judge = (params: Params) => JudgedDocument;

/** One id for each effect, because policy and approvals depend on the effect of an id. */
const IDS: Readonly<Record<Effect, string>> = {
  read: "github.graphql",
  write: "github.graphql.mutate",
  destructive: "github.graphql.delete",
};

const DESCRIPTIONS: Readonly<Record<Effect, string>> = {
  read: "Run your own GraphQL query against GitHub's GraphQL API",
  write: "Run your own GraphQL mutation against GitHub's GraphQL API",
  destructive: "Run a GraphQL mutation that deletes or removes something on GitHub",
};

const EFFECT_WORDS: Readonly<Record<Effect, string>> = {
  read: "only reads",
  write: "is a mutation",
  destructive: "deletes or removes something",
};

function summarise(effect: Effect): OperationSummary {
  return {
    id: IDS[effect],
    description: DESCRIPTIONS[effect],
    effect,
    idempotent: effect === "read",
    kind: "call",
    parameters: Object.keys(OWN_DOCUMENT_INPUT.properties),
    exposed: false,
  };
}

/** Checks that the document has the effect of the called id. */
function checkEffect(params: Params, own: Effect, judge: Judge): Params {
  const { effect } = judge(params);
  if (effect === own) return params;
  const message = `This document ${EFFECT_WORDS[effect]}; call ${IDS[effect]} with the same input`;
  throw fail("VALIDATION", message, {
    outcome: "not_applied",
    did_you_mean: [IDS[effect]],
  });
}

function requestFor({ params }: RoutedRequest, judge: Judge): GraphqlRequest {
  const { document, variables = {} } = params;
  const { operationName } = judge(params);
  // The cast is safe, because the input was validated before.
  const given = variables as Params;
  return { kind: "graphql", operationName, document: String(document), variables: given };
}

/**
 * An unknown field is a mistake in the caller's document, so it is reported and no other route is
 * tried.
 */
function blameDocument(thrown: unknown): never {
  const error = errorFromUnknown(thrown);
  const isUnknownField = agentErrorCode(error) === "ADAPTER_UNSUPPORTED";
  const isAnswered = error.details.status === undefined || error.details.status === 200;
  throw isUnknownField && isAnswered ? error.with({ code: "VALIDATION" }) : thrown;
}

function documentOperation(effect: Effect, kit: CardKit, judge: Judge): LateOperation {
  const { routes, host = "" } = kit;
  const route = routes.find((one) => one.route === "graphql")!;
  const summary = summarise(effect);
  const spec: OperationSpec = {
    ...summary,
    inputSchema: OWN_DOCUMENT_INPUT,
    outputSchema: true,
    aliases: { document: ["query", "q"] },
  };
  const make = () =>
    oneRouteOperation({
      spec: {
        ...spec,
        normaliseInput: (params) => checkEffect(namedVariables(params), effect, judge),
      },
      route: "graphql",
      host,
      preflight: () => missingToken(kit),
      send: async (request, attempt) => {
        const sent = route.send(requestFor(request, judge), attempt).catch(blameDocument);
        // If a document has several fields, some may have been applied before one failed.
        return judge(request.params).rootFields > 1 ? sent.catch(withoutPromise) : sent;
      },
      describe: (request) => route.describe(requestFor(request, judge)),
    });
  return { summary, make };
}

async function missingToken({ facts }: CardKit): Promise<Skip | undefined> {
  const known = await facts?.facts(["tokenPresent"]);
  if (known?.tokenPresent !== false) return undefined;
  const { tokenHint: hint } = known;
  return { code: "TOKEN_MISSING", ...(hint !== undefined && { hint }) };
}

/** Reads the document from `query` or `q`, too: other GraphQL clients call it so. */
function namedVariables(params: Params): Params {
  const { query, q, ...others } = params;
  const document = params["document"] ?? query ?? q;
  return { ...others, ...(document !== undefined && { document }) };
}

/** Runs any GraphQL document, for operations without a card or a REST endpoint. */
export function githubGraphqlSource(place: GithubHost, around: GithubSurroundings): Source {
  const source = lateSource("github", async () => {
    const { judgeDocument } = await import("./graphql-documents.ts");
    const kit = githubKit(place, around);
    const effects: readonly Effect[] = ["read", "write", "destructive"];
    return {
      operations: effects.map((effect) => documentOperation(effect, kit, judgeDocument)),
    };
  });
  return placedSource(source, { origin: "pack", raw: true });
}
