import type { SyntaxNode } from "../languages/grammars.ts";
import { children, field, stringNodeText } from "../symbols/trees/tree-walk.ts";
import type { TreeWalk } from "../symbols/trees/tree-walk.ts";
import { joinPaths } from "./paths.ts";

/** The file that contains a function. */
interface PythonFile {
  readonly imported: ReadonlySet<string>;
  readonly prefixes: ReadonlyMap<string, string>;
}

const METHODS = new Set(["get", "post", "put", "patch", "delete", "head", "options", "websocket"]);

/** Routes of FastAPI and Flask, commands of Click and Typer, tasks of Celery. */
export function servedByFunction(
  x: TreeWalk,
  decorators: readonly SyntaxNode[],
  name: string,
  handler: number,
  file: PythonFile,
): void {
  for (const decorator of decorators) {
    const [expression] = children(decorator);
    if (!expression) continue;
    const callee = expression.type === "call" ? field(expression, "function") : expression;
    const given = expression.type === "call" ? children(field(expression, "arguments")) : [];
    const [owner = "", method = ""] =
      callee?.type === "attribute"
        ? [field(callee, "object")?.text, field(callee, "attribute")?.text]
        : ["", callee?.text];
    served(x, { decorator, owner, method, given, name, handler, file });
  }
}

interface Decorated {
  readonly decorator: SyntaxNode;
  readonly owner: string;
  readonly method: string;
  readonly given: readonly SyntaxNode[];
  readonly name: string;
  readonly handler: number;
  readonly file: PythonFile;
}

function served(x: TreeWalk, one: Decorated): void {
  const { decorator, owner, method, given, name, handler, file } = one;
  const path = stringNodeText(given[0]);
  const isPath = path !== undefined && (path === "" || path.startsWith("/"));
  if (owner !== "" && isPath && (METHODS.has(method) || method === "route")) {
    const verbs = method === "route" ? flaskMethods(given) : [method.toUpperCase()];
    const framework = file.imported.has("flask") ? "flask" : "fastapi";
    const whole = joinPaths(file.prefixes.get(owner) ?? "", path);
    for (const verb of verbs)
      x.entrypoint("route", `${verb} ${whole}`, framework, decorator, handler);
  } else if (method === "command" || method === "group") {
    const framework = file.imported.has("typer") ? "typer" : "click";
    if (!file.imported.has(framework) && owner === "") return;
    x.entrypoint("command", path ?? name.replaceAll("_", "-"), framework, decorator, handler);
  } else if (
    method === "shared_task" ||
    (method === "task" && (file.imported.has("celery") || owner === "celery"))
  ) {
    x.entrypoint("job", name, "celery", decorator, handler);
  }
}

/** The methods in `methods=["GET", "POST"]`. Without it, a Flask route answers GET. */
function flaskMethods(given: readonly SyntaxNode[]): string[] {
  const listed = given.find(
    (part) => part.type === "keyword_argument" && field(part, "name")?.text === "methods",
  );
  const verbs = children(listed && field(listed, "value")).flatMap(
    (part) => stringNodeText(part)?.toUpperCase() ?? [],
  );
  return verbs.length === 0 ? ["GET"] : verbs;
}

/** Reads routes of Django: `path("users/", views.users)` in a file named urls.py. */
export function djangoRoute(
  x: TreeWalk,
  call: SyntaxNode,
  nodeOf: (part: SyntaxNode) => number,
): void {
  if (!/(?:^|\/)urls\.py$/.test(x.path)) return;
  const callee = field(call, "function")?.text ?? "";
  const [route, view] = children(field(call, "arguments"));
  const path = stringNodeText(route);
  if (!/^(?:path|re_path|url)$/.test(callee) || path === undefined || !view) return;
  if (/^include\b/.test(view.text)) return;
  const target =
    view.type === "call" ? (field(field(view, "function") ?? view, "object") ?? view) : view;
  x.entrypoint("route", `ALL ${joinPaths(path)}`, "django", call, nodeOf(target));
}

export function testFile(x: TreeWalk, root: SyntaxNode): void {
  const name = x.path.slice(x.path.lastIndexOf("/") + 1);
  if (/^test_.*\.py$|_test\.py$/.test(name)) x.entrypoint("test", x.path, "pytest", root, 0);
}
