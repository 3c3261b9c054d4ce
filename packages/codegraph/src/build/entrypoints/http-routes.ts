import type { Expression } from "oxc-parser";
import { NO_ROUTER } from "../symbols/extract/extraction.ts";
import type { Extraction } from "../symbols/extract/extraction.ts";
import { OP } from "../symbols/facts/ops.ts";
import { SYMBOL } from "../symbols/facts/symbol-facts.ts";
import { literalText } from "../modules/literal-text.ts";
import type { CallSite, Origin } from "./call-site.ts";
import { aroundPlugins, inlinePlugin } from "./inline-plugins.ts";
import { textMember } from "./objects.ts";
import type { Mounted } from "./notes.ts";
import { joinPaths } from "./paths.ts";

/** How deep routers may be mounted in each other. */
const MAX_MOUNTS = 20;
const FROM_OUTSIDE: ReadonlySet<number> = new Set([OP.imported, OP.module, OP.member]);

const METHODS: Readonly<Record<string, string>> = {
  get: "GET",
  post: "POST",
  put: "PUT",
  patch: "PATCH",
  delete: "DELETE",
  del: "DELETE",
  head: "HEAD",
  options: "OPTIONS",
  all: "ALL",
};

export const ROUTE_CALLS = [...Object.keys(METHODS), "route", "on", "use", "register", "openapi"];

const PACKAGES: readonly (readonly [RegExp, string])[] = [
  [/^express(?:$|-)/, "express"],
  [/^(?:koa|@koa\/router|koa-router)$/, "koa"],
  [/^fastify$|^@fastify\//, "fastify"],
  [/^hono(?:$|\/)|^@hono\//, "hono"],
];
/** Classes that are recognised by name, inside the framework's own repository. */
const CLASSES: Readonly<Record<string, string>> = { Hono: "hono", OpenAPIHono: "hono" };
/** Usual names of routers that are passed as parameters. */
const ROUTER_NAMES = /^(?:app|api|server|fastify|\w*[rR]outer|\w*[rR]outes)$/;

/** Routes of Express, Koa, Fastify and Hono, by the methods of an application or router. */
export function httpRoute(site: CallSite): void {
  const framework = findFramework(site);
  if (!framework) return;
  const { name } = site;
  if (name === "use") return use(site);
  if (name === "register") return plugin(site);
  if (name === "route") return route(site, framework);
  if (name === "on") return onMethod(site, framework);
  if (name === "openapi") return;
  const chained = site.subject ? chainedPath(site.subject) : undefined;
  const path = site.text(0) ?? chained;
  const handlers = site.node.arguments.length - (site.text(0) === undefined ? 0 : 1);
  if (path === undefined || handlers < 1 || !isHandler(site.argument(-1))) return;
  addRoute(site, METHODS[name] ?? "ALL", path, framework);
}

function findFramework(site: CallSite): string | undefined {
  const origin = site.origin();
  if (origin && !origin.specifier.startsWith(".")) return byPackage(origin);
  if (origin && CLASSES[origin.name]) return CLASSES[origin.name];
  const { subject } = site;
  if (subject?.type !== "Identifier" || !ROUTER_NAMES.test(subject.name)) return undefined;
  return /^\/|^\*$/.test(site.text(0) ?? "") ? "http" : undefined;
}

function byPackage({ specifier }: Origin): string | undefined {
  return PACKAGES.find(([pattern]) => pattern.test(specifier))?.[1];
}

function isHandler(node: ReturnType<CallSite["argument"]>): boolean {
  switch (node?.type) {
    case "ArrowFunctionExpression":
    case "FunctionExpression":
    case "Identifier":
    case "MemberExpression":
    case "CallExpression":
    case "ArrayExpression":
    case "TSAsExpression":
      return true;
    default:
      return false;
  }
}

/** The path in `router.route("/x").get(h).post(h)`. */
function chainedPath(subject: Expression): string | undefined {
  let node: Expression = subject;
  for (let step = 0; step < 20 && node.type === "CallExpression"; step++) {
    const { callee } = node;
    if (callee.type !== "MemberExpression" || callee.property.type !== "Identifier")
      return undefined;
    if (callee.property.name === "route") return literalText(node.arguments[0]);
    node = callee.object;
  }
  return undefined;
}

/** In Fastify, `route` takes an object; in Hono, it mounts another application. */
function route(site: CallSite, framework: string): void {
  const [first] = site.node.arguments;
  if (first?.type !== "ObjectExpression") return use(site);
  const path = textMember(first, "url") ?? textMember(first, "path");
  const method = textMember(first, "method") ?? "ALL";
  if (path === undefined) return;
  const row = site.registerMember("route", "", framework, "handler");
  recordRoute(site, row, method.toUpperCase(), path);
}

/** Reads `app.on("PURGE", "/cache", handler)`. Event listeners have no path. */
function onMethod(site: CallSite, framework: string): void {
  const [method, path] = [site.text(0), site.text(1)];
  if (method && path?.startsWith("/") && site.node.arguments.length > 2) {
    addRoute(site, method.toUpperCase(), path, framework);
  }
}

/** Reads `app.use("/x", check, router)` and `app.use(router)`. */
function use(site: CallSite): void {
  const prefix = site.text(0);
  const first = prefix === undefined ? 0 : 1;
  for (let place = first; place < site.node.arguments.length; place++) {
    mount(site, prefix ?? "", place);
  }
}

/** Reads `server.register(routes, { prefix: "/x" })`. */
function plugin(site: CallSite): void {
  const options = site.argument(1);
  const told = options?.type === "ObjectExpression" ? textMember(options, "prefix") : undefined;
  const prefix = joinPaths(ownPrefix(site), told ?? "");
  if (!inlinePlugin(site, prefix, getRoot(site, site.subjectNode))) mount(site, told ?? "", 0);
}

/** Mounts a router below a path. Its routes get that path as a prefix. */
function mount(site: CallSite, path: string, router: number): void {
  const node = site.argumentNode(router);
  if (node === 0) return;
  const [root, on, { x }] = [getRoot(site, node), getRoot(site, site.subjectNode), site];
  const prefix = joinPaths(ownPrefix(site), path);
  if (root === on) return;
  x.notes.mounts.set(root, { prefix, on });
  x.later(() => {
    const other = importedIn(x, root);
    if (other === 0) return;
    const top = standsAt(site, on);
    x.mount(joinPaths(top.prefix, prefix), other, symbolIn(x, top.on));
  });
}

/** The outermost router of a call, through plugins and mounts. */
function standsAt(site: CallSite, router: number): Mounted {
  const around = aroundPlugins(site, router);
  const { prefix, on } = mountedAt(site.x, around.on);
  return { prefix: joinPaths(prefix, around.prefix), on };
}

/** The outermost router in the file that a router is mounted on, with the path to it. */
function mountedAt(x: Extraction, router: number): Mounted {
  let found: Mounted = { prefix: "", on: router };
  for (let step = 0; step < MAX_MOUNTS; step++) {
    const next = x.notes.mounts.get(found.on);
    if (!next) break;
    found = { prefix: joinPaths(next.prefix, found.prefix), on: next.on };
  }
  return found;
}

function symbolIn({ writer: { code } }: Extraction, node: number): number {
  return code[node] === OP.symbol ? code[node + 1]! : NO_ROUTER;
}

/** The node of an import, if a variable contains exactly that; otherwise 0. */
function importedIn(x: Extraction, root: number): number {
  const { code } = x.writer;
  const symbol = symbolIn(x, root);
  const node = symbol < 0 ? root : x.writer.get("symbols", symbol, SYMBOL.type);
  return FROM_OUTSIDE.has(code[node]!) ? node : 0;
}

function addRoute(site: CallSite, method: string, path: string, framework: string): void {
  recordRoute(site, site.register("route", "", framework, -1), method, path);
}

/** Names a route after the whole file was read, because its router may be mounted later. */
function recordRoute(site: CallSite, row: number, method: string, path: string): void {
  const root = getRoot(site, site.subjectNode);
  const own = ownPrefix(site);
  site.x.later(() => {
    const { prefix, on } = standsAt(site, root);
    const name = `${method} ${joinPaths(prefix, own, path)}`;
    site.x.nameEntrypoint(row, name, symbolIn(site.x, on));
  });
}

/** The variable at the start of a chain of calls. */
function getRoot(site: CallSite, start: number): number {
  const { code } = site.x.writer;
  let node = start;
  for (let step = 0; step < 60; step++) {
    const op = code[node];
    if (op !== OP.call && op !== OP.member) break;
    // A member of an imported module counts like a name that is imported from it.
    if (op === OP.member && code[code[node + 1]!] === OP.module) break;
    node = code[node + 1]!;
  }
  return node;
}

/**
 * The prefix in `new Router({ prefix: "/api" })` or `new Hono().basePath("/api")`, if it is a
 * literal.
 */
function ownPrefix(site: CallSite): string {
  let node = site.subject;
  for (let step = 0; step < 40 && node; step++) {
    if (node.type === "Identifier") return site.x.notes.prefixes.get(node.name) ?? "";
    if (node.type !== "CallExpression" || node.callee.type !== "MemberExpression")
      return prefixIn(node);
    const { property: called, object } = node.callee;
    if (called.type === "Identifier" && called.name === "basePath")
      return literalText(node.arguments[0]) ?? "";
    node = object;
  }
  return "";
}

/** The prefix that a router is created with. */
export function prefixIn(node: Expression): string {
  if (node.type === "CallExpression" && node.callee.type === "MemberExpression") {
    const { property: called, object } = node.callee;
    if (called.type === "Identifier" && called.name === "basePath")
      return literalText(node.arguments[0]) ?? "";
    return prefixIn(object);
  }
  if (node.type !== "NewExpression" && node.type !== "CallExpression") return "";
  const [options] = node.arguments;
  return options?.type === "ObjectExpression" ? (textMember(options, "prefix") ?? "") : "";
}
