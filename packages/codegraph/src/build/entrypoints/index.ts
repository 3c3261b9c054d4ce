import type { CallExpression, Decorator, Expression, NewExpression } from "oxc-parser";
import type { Extraction, Recogniser } from "../symbols/extract/extraction.ts";
import { CallSite } from "./call-site.ts";
import { command, COMMAND_CALLS, commandIn } from "./commands.ts";
import { getExports } from "./file-exports.ts";
import { fileRoute } from "./file-routes.ts";
import { resolverMap, resolverMethod, SERVER_CALLS, serverResolvers } from "./graphql.ts";
import { httpRoute, prefixIn, ROUTE_CALLS } from "./http-routes.ts";
import { job, JOB_CALLS } from "./jobs.ts";
import { findController, servedByMethod } from "./nestjs.ts";
import { cloudFunction, edgeWorker, FUNCTION_CALLS, lambdaHandler } from "./serverless.ts";
import { testOrStory } from "./tests-and-stories.ts";
import { ROUTER_CALLS, trpcRouter } from "./trpc.ts";

export { Conventions } from "./conventions.ts";
export { packageEntrypoints } from "./packages.ts";
export type { ServedFile } from "./packages.ts";

/** The recognisers by the name of the called function, so that most calls are skipped quickly. */
const BY_NAME = new Map<string, ((site: CallSite) => void)[]>();
for (const [names, look] of [
  [ROUTE_CALLS, httpRoute],
  [COMMAND_CALLS, command],
  [JOB_CALLS, job],
  [ROUTER_CALLS, trpcRouter],
  [SERVER_CALLS, serverResolvers],
  [FUNCTION_CALLS, cloudFunction],
] as const) {
  for (const name of names) BY_NAME.set(name, [...(BY_NAME.get(name) ?? []), look]);
}

function called(x: Extraction, node: CallExpression | NewExpression, call: number): void {
  const { callee } = node;
  const property = callee.type === "MemberExpression" ? callee.property : callee;
  const looks = property.type === "Identifier" ? BY_NAME.get(property.name) : undefined;
  if (!looks || property.type !== "Identifier") return;
  const site = new CallSite(x, node, property.name, call);
  for (const look of looks) look(site);
}

function held(x: Extraction, name: string, value: Expression): void {
  if (value.type === "ObjectExpression") {
    if (/resolvers?$/i.test(name)) resolverMap(x, value);
    return;
  }
  if (value.type !== "CallExpression" && value.type !== "NewExpression") return;
  const prefix = prefixIn(value);
  if (prefix !== "") x.notes.prefixes.set(name, prefix);
  const known = commandIn(value);
  if (known !== undefined) x.notes.commands.set(name, known);
}

function classDecorated(x: Extraction, list: readonly Decorator[]): void {
  x.notes.controller = list.length === 0 ? undefined : findController(x, list);
}

function methodDecorated(
  x: Extraction,
  list: readonly Decorator[],
  method: string,
  symbol: number,
): void {
  if (list.length === 0 && x.notes.controller?.kind !== "queue") return;
  servedByMethod(x, list, method, symbol);
  resolverMethod(x, list, method, symbol);
}

function finished(x: Extraction, path: string): void {
  const exports = getExports(x);
  const file = { x, path, exports };
  fileRoute(file);
  testOrStory(file);
  lambdaHandler(x, path, exports);
  edgeWorker(x, path, exports);
}

/** Entry points of all supported frameworks. */
export const ENTRYPOINTS: Recogniser = { called, held, classDecorated, methodDecorated, finished };
