import type { Decorator, Expression, ObjectExpression } from "oxc-parser";
import type { Extraction } from "../symbols/extract/extraction.ts";
import { literalText } from "../modules/literal-text.ts";
import { importedDecorators } from "./decorators.ts";
import type { CallSite } from "./call-site.ts";
import { propertyKey, objectMember, textMember } from "./objects.ts";

const OPERATIONS: Readonly<Record<string, string>> = {
  Query: "QUERY",
  Mutation: "MUTATION",
  Subscription: "SUBSCRIPTION",
};
const PACKAGES = new Set(["@nestjs/graphql", "type-graphql"]);

/** Resolvers with a decorator: `@Query(() => Cat) cats() {}`. */
export function resolverMethod(
  x: Extraction,
  list: readonly Decorator[],
  method: string,
  symbol: number,
): void {
  for (const { name, specifier, arguments: given } of importedDecorators(x, list)) {
    const operation = OPERATIONS[name];
    if (!operation || !PACKAGES.has(specifier)) continue;
    const served = writtenName(given) ?? method;
    const place = x.symbolPlace(symbol);
    x.entrypoint({ kind: "route", name: `${operation} ${served}`, framework: specifier, ...place });
  }
}

function writtenName(given: readonly Expression[]): string | undefined {
  for (const one of given) {
    const text =
      literalText(one) ?? (one.type === "ObjectExpression" ? textMember(one, "name") : undefined);
    if (text !== undefined) return text;
  }
  return undefined;
}

export const SERVER_CALLS = [
  "ApolloServer",
  "makeExecutableSchema",
  "createSchema",
  "buildSubgraphSchema",
];

/** Resolvers that are passed to a new server. */
export function serverResolvers(site: CallSite): void {
  const options = site.argument(0);
  const map = options?.type === "ObjectExpression" ? objectMember(options, "resolvers") : undefined;
  if (map?.type === "ObjectExpression") resolverMap(site.x, map);
}

/** `{ Query: { users() {} } }`: each function below the three operation types is an entry point. */
export function resolverMap(x: Extraction, { properties }: ObjectExpression): void {
  for (const part of properties) {
    const operation = part.type === "Property" ? OPERATIONS[propertyKey(part) ?? ""] : undefined;
    if (part.type !== "Property" || !operation || part.value.type !== "ObjectExpression") continue;
    for (const field of part.value.properties) {
      if (field.type === "Property") resolver(x, operation, propertyKey(field), field.value);
    }
  }
}

function resolver(
  x: Extraction,
  operation: string,
  name: string | undefined,
  value: Expression,
): void {
  if (name === undefined) return;
  const handler = value.type === "Identifier" ? (x.scopes.value(value.name) ?? 0) : 0;
  const place = { line: x.lines.lineOf(value.start), handler };
  x.entrypoint({ kind: "route", name: `${operation} ${name}`, framework: "graphql", ...place });
}
