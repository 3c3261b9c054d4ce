import type { SyntaxNode } from "../languages/grammars.ts";
import { children, field, stringNodeText } from "../symbols/trees/tree-walk.ts";
import type { TreeWalk } from "../symbols/trees/tree-walk.ts";
import type { GoRouters } from "./go-routers.ts";
import { joinPaths } from "./paths.ts";

export interface GivenArgument {
  readonly node: number;
  readonly part: SyntaxNode;
}

const FRAMEWORKS: readonly (readonly [RegExp, string])[] = [
  [/^github\.com\/gin-gonic\/gin$/, "gin"],
  [/^github\.com\/labstack\/echo/, "echo"],
  [/^github\.com\/go-chi\/chi/, "chi"],
];
const UPPER = /^(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|Any)$/;
const CAPITAL = /^(?:Get|Post|Put|Patch|Delete|Head|Options)$/;

/** Routes of net/http, gin, echo and chi. */
export function goCall(
  x: TreeWalk,
  call: SyntaxNode,
  given: readonly GivenArgument[],
  imports: ReadonlySet<string>,
  routers: GoRouters,
): void {
  const callee = field(call, "function");
  const method = callee?.type === "selector_expression" ? (field(callee, "field")?.text ?? "") : "";
  const path = stringNodeText(given[0]?.part);
  const handler = given.at(-1);
  if (path === undefined || !handler || given.length < 2) return;
  const below = (): string => routers.prefixOf(callee && field(callee, "operand"));
  const name = routeName(method, path, imports, below);
  if (name) x.entrypoint("route", name[0], name[1], call, handler.node);
}

function routeName(
  method: string,
  path: string,
  imports: ReadonlySet<string>,
  below: () => string,
): [string, string] | undefined {
  const framework = FRAMEWORKS.find(([pattern]) =>
    [...imports].some((one) => pattern.test(one)),
  )?.[1];
  const verb = method.toUpperCase();
  if (framework === "chi" ? CAPITAL.test(method) : framework !== undefined && UPPER.test(method)) {
    return [`${verb === "ANY" ? "ALL" : verb} ${joinPaths(below(), path)}`, framework ?? "http"];
  }
  if (!imports.has("net/http") || !/^Handle(?:Func)?$/.test(method)) return undefined;
  const written = /^([A-Z]+) (\/.*)$/.exec(path);
  return [written ? `${written[1]!} ${written[2]!}` : `ALL ${path}`, "net/http"];
}

/** Reads commands of cobra: `&cobra.Command{Use: "serve", Run: run}`. */
export function goCommand(x: TreeWalk, literal: SyntaxNode, imports: ReadonlySet<string>): void {
  if (!imports.has("github.com/spf13/cobra") || field(literal, "type")?.text !== "cobra.Command")
    return;
  const entries = new Map<string, SyntaxNode>();
  for (const element of children(field(literal, "body"))) {
    const [key, value] = children(element);
    if (key && value) entries.set(key.text, value);
  }
  const name = /["`](\S+?)(?:\s.*)?["`]/.exec(entries.get("Use")?.text ?? "")?.[1];
  const run = entries.get("RunE") ?? entries.get("Run");
  if (name === undefined || !run) return;
  x.entrypoint("command", name, "cobra", literal, x.scopes.value(run.text) ?? 0);
}

/** Registers `main` of a program, and the tests of a package. */
export function goMain(x: TreeWalk, root: SyntaxNode): void {
  const declared = children(root);
  const isMain = declared.some(
    ({ type, text }) => type === "package_clause" && /^package\s+main\b/.test(text),
  );
  const main = declared.find(
    (node) => node.type === "function_declaration" && field(node, "name")?.text === "main",
  );
  if (isMain && main) x.entrypoint("command", x.path, "go", main, x.scopes.value("main") ?? 0);
  if (x.path.endsWith("_test.go")) x.entrypoint("test", x.path, "go test", root, 0);
}
