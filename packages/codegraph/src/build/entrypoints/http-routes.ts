import type { Expression } from "oxc-parser";
import { OP } from "../symbols/facts/ops.ts";
import { textOf } from "./call-site.ts";
import type { CallSite, Origin } from "./call-site.ts";
import { textMember } from "./objects.ts";
import { joinPaths } from "./paths.ts";

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
/** Classes that are told by their name where the framework is the tree itself. */
const CLASSES: Readonly<Record<string, string>> = { Hono: "hono", OpenAPIHono: "hono" };
/** What a router that was handed in is usually called. */
const ROUTER_NAMES = /^(?:app|api|server|fastify|\w*[rR]outer|\w*[rR]outes)$/;

/** Routes of Express, Koa, Fastify and Hono, by what is called on an application or router. */
export function httpRoute(site: CallSite): void {
  const framework = frameworkOf(site);
  if (!framework) return;
  const { name } = site;
  if (name === "use" || name === "register") return mount(site, 0, 1);
  if (name === "route") return route(site, framework);
  if (name === "on") return onMethod(site, framework);
  if (name === "openapi") return;
  const chained = site.subject ? chainedPath(site.subject) : undefined;
  const path = site.text(0) ?? chained;
  const handlers = site.node.arguments.length - (site.text(0) === undefined ? 0 : 1);
  if (path === undefined || handlers < 1 || !isHandler(site.argument(-1))) return;
  add(site, METHODS[name] ?? "ALL", path, framework);
}

function frameworkOf(site: CallSite): string | undefined {
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

/** `router.route("/x").get(h).post(h)`. */
function chainedPath(subject: Expression): string | undefined {
  let node: Expression = subject;
  for (let step = 0; step < 20 && node.type === "CallExpression"; step++) {
    const { callee } = node;
    if (callee.type !== "MemberExpression" || callee.property.type !== "Identifier")
      return undefined;
    if (callee.property.name === "route") return textOf(node.arguments[0]);
    node = callee.object;
  }
  return undefined;
}

/** Fastify describes a route in an object; in Hono it mounts another application. */
function route(site: CallSite, framework: string): void {
  const [first] = site.node.arguments;
  if (first?.type !== "ObjectExpression") return mount(site, 0, 1);
  const path = textMember(first, "url") ?? textMember(first, "path");
  const method = textMember(first, "method") ?? "ALL";
  if (path === undefined) return;
  const name = `${method.toUpperCase()} ${joinPaths(path)}`;
  site.registerMember("route", name, framework, "handler");
}

/** `app.on("PURGE", "/cache", handler)`; listeners of events have no path. */
function onMethod(site: CallSite, framework: string): void {
  const [method, path] = [site.text(0), site.text(1)];
  if (method && path?.startsWith("/") && site.node.arguments.length > 2) {
    add(site, method.toUpperCase(), path, framework);
  }
}

/** A router below a path: what it serves is told with that path, where both stand in one file. */
function mount(site: CallSite, path: number, router: number): void {
  const prefix = site.text(path);
  const node = site.argumentNode(router);
  if (prefix === undefined || node === 0 || site.node.arguments.length < 2) return;
  site.x.notes.mounts.set(rootOf(site, node), prefix);
}

function add(site: CallSite, method: string, path: string, framework: string): void {
  const root = rootOf(site, site.subjectNode);
  const own = ownPrefix(site);
  const row = site.register("route", "", framework, -1);
  site.x.later(() => {
    const name = `${method} ${joinPaths(site.x.notes.mounts.get(root) ?? "", own, path)}`;
    site.x.nameEntrypoint(row, name);
  });
}

/** The variable that a chain of calls starts from. */
function rootOf(site: CallSite, start: number): number {
  const { code } = site.x.writer;
  let node = start;
  for (let step = 0; step < 60; step++) {
    const op = code[node];
    if (op === OP.call || op === OP.member) node = code[node + 1]!;
    else break;
  }
  return node;
}

/** `new Router({ prefix: "/api" })` and `new Hono().basePath("/api")`, as far as written here. */
function ownPrefix(site: CallSite): string {
  let node = site.subject;
  for (let step = 0; step < 40 && node; step++) {
    if (node.type === "Identifier") return site.x.notes.prefixes.get(node.name) ?? "";
    if (node.type !== "CallExpression" || node.callee.type !== "MemberExpression")
      return prefixIn(node);
    const { property: called, object } = node.callee;
    if (called.type === "Identifier" && called.name === "basePath")
      return textOf(node.arguments[0]) ?? "";
    node = object;
  }
  return "";
}

/** What a router is told about where it stands when it is made. */
export function prefixIn(node: Expression): string {
  if (node.type === "CallExpression" && node.callee.type === "MemberExpression") {
    const { property: called, object } = node.callee;
    if (called.type === "Identifier" && called.name === "basePath")
      return textOf(node.arguments[0]) ?? "";
    return prefixIn(object);
  }
  if (node.type !== "NewExpression" && node.type !== "CallExpression") return "";
  const [options] = node.arguments;
  return options?.type === "ObjectExpression" ? (textMember(options, "prefix") ?? "") : "";
}
