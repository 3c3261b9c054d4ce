import type { Expression, ObjectExpression } from "oxc-parser";
import type { CallSite } from "./call-site.ts";
import { propertyKey } from "./objects.ts";

export const ROUTER_CALLS = ["router", "createTRPCRouter", "createRouter"];

const PROCEDURES: Readonly<Record<string, string>> = {
  query: "QUERY",
  mutation: "MUTATION",
  subscription: "SUBSCRIPTION",
};

/** tRPC: `router({ list: procedure.query(run) })`, including nested routers. */
export function trpcRouter(site: CallSite): void {
  const routes = site.argument(0);
  const origin = site.origin();
  const isKnown =
    origin === undefined ||
    origin.specifier.startsWith(".") ||
    origin.specifier.startsWith("@trpc/");
  if (!isKnown || routes?.type !== "ObjectExpression") return;
  const { routers } = site.x.notes;
  if (routers.length === 0) site.x.later(() => tellOutermost(routers));
  const { start, end } = site.node;
  routers.push({ start, end, tell: () => procedures(site, routes, "") });
}

/**
 * Registers only outermost routers. A nested router is part of the outer one, with its name as a
 * prefix.
 */
function tellOutermost(routers: readonly { start: number; end: number; tell: () => void }[]): void {
  for (const { start, end, tell } of routers) {
    const isInner = routers.some((other) => other.start < start && other.end > end);
    if (!isInner) tell();
  }
}

function procedures(site: CallSite, { properties }: ObjectExpression, prefix: string): void {
  for (const part of properties) {
    if (part.type !== "Property") continue;
    const key = propertyKey(part);
    if (key === undefined) continue;
    const inner = innerRoutes(part.value);
    if (inner) procedures(site, inner, `${prefix}${key}.`);
    else procedure(site, part.value, `${prefix}${key}`);
  }
}

function innerRoutes(value: Expression): ObjectExpression | undefined {
  if (value.type === "ObjectExpression") return value;
  if (value.type !== "CallExpression") return undefined;
  const name = calleeName(value.callee);
  const [routes] = value.arguments;
  return name !== undefined && ROUTER_CALLS.includes(name) && routes?.type === "ObjectExpression"
    ? routes
    : undefined;
}

function calleeName(callee: Expression): string | undefined {
  if (callee.type === "Identifier") return callee.name;
  if (callee.type !== "MemberExpression" || callee.property.type !== "Identifier") return undefined;
  return callee.property.name;
}

function procedure(site: CallSite, value: Expression, name: string): void {
  if (value.type !== "CallExpression" || value.callee.type !== "MemberExpression") return;
  const method = PROCEDURES[calleeName(value.callee) ?? ""];
  const [run] = value.arguments;
  if (!method || !run) return;
  const handler = run.type === "Identifier" ? (site.x.scopes.value(run.name) ?? 0) : 0;
  const line = site.x.lines.lineOf(value.start);
  site.x.entrypoint({ kind: "route", name: `${method} ${name}`, framework: "trpc", line, handler });
}
