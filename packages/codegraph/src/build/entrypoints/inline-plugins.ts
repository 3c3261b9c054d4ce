import type { CallSite } from "./call-site.ts";
import type { FrameworkNotes } from "./notes.ts";
import { joinPaths } from "./paths.ts";

/** `app.register(async (inner) => {…}, { prefix })`: inside, inner stands for app below a path. */
export interface InlinePlugin {
  readonly start: number;
  readonly end: number;
  /** What the router is called inside. */
  readonly name: string;
  readonly prefix: string;
  /** The call, and the node of the router that it is made on. */
  readonly site: CallSite;
  readonly on: number;
}

/** How deep plugins stand in each other. */
const MAX_DEPTH = 20;

/** Notes a plugin that is written in place; false for one that is named. */
export function inlinePlugin(site: CallSite, prefix: string, on: number): boolean {
  const written = site.argument(0);
  const isFunction =
    written?.type === "ArrowFunctionExpression" || written?.type === "FunctionExpression";
  const [router] = isFunction ? written.params : [];
  if (!isFunction || router?.type !== "Identifier") return false;
  const { start, end } = written;
  site.x.notes.plugins.push({ start, end, name: router.name, prefix, site, on });
  return true;
}

/** The router around all plugins that a call stands in, and the path that leads from there. */
export function aroundPlugins(
  site: CallSite,
  router: number,
): { readonly prefix: string; readonly on: number } {
  let [prefix, on, from] = ["", router, site];
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    const plugin = pluginOf(from);
    if (!plugin) break;
    prefix = joinPaths(plugin.prefix, prefix);
    ({ on, site: from } = plugin);
  }
  return { prefix, on };
}

/** The innermost plugin whose router a call is made on. */
function pluginOf({ x, node, subject }: CallSite): InlinePlugin | undefined {
  const name = rootName(subject);
  return innermost(x.notes, node.start).find((plugin) => plugin.name === name);
}

function innermost({ plugins }: FrameworkNotes, place: number): InlinePlugin[] {
  return plugins
    .filter(({ start, end }) => start <= place && place < end)
    .toSorted((a, b) => b.start - a.start);
}

/** The variable that a chain of calls starts from. */
function rootName(subject: CallSite["subject"]): string | undefined {
  let node = subject;
  for (let step = 0; step < MAX_DEPTH * 2 && node?.type === "CallExpression"; step++) {
    node = node.callee.type === "MemberExpression" ? node.callee.object : undefined;
  }
  return node?.type === "Identifier" ? node.name : undefined;
}
