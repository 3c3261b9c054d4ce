import type { CallSite } from "./call-site.ts";
import type { FrameworkNotes, InlinePlugin, Mounted } from "./notes.ts";
import { joinPaths } from "./paths.ts";

/** How deep plugins stand in each other. */
const MAX_DEPTH = 20;
const MAX_CHAIN = 40;

/** Notes a plugin that is written in place; false for one that is named. */
export function inlinePlugin(site: CallSite, prefix: string, on: number): boolean {
  const written = site.argument(0);
  const isFunction =
    written?.type === "ArrowFunctionExpression" || written?.type === "FunctionExpression";
  const [router] = isFunction ? written.params : [];
  if (!isFunction || router?.type !== "Identifier") return false;
  const { start, end } = written;
  const outer = rootName(site.subject);
  site.x.notes.plugins.push({ start, end, name: router.name, prefix, outer, on });
  return true;
}

/** The router around all plugins that a call stands in, and the path that leads from there. */
export function aroundPlugins({ x, node, subject }: CallSite, router: number): Mounted {
  let found: Mounted = { prefix: "", on: router };
  let [name, place] = [rootName(subject), node.start];
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    const plugin = pluginAt(x.notes, place, name);
    if (!plugin) break;
    found = { prefix: joinPaths(plugin.prefix, found.prefix), on: plugin.on };
    // The router it is registered on is declared before it, outside of it.
    [name, place] = [plugin.outer, plugin.start - 1];
  }
  return found;
}

/** The innermost plugin around a place that calls its router so. */
function pluginAt(
  { plugins }: FrameworkNotes,
  place: number,
  name: string | undefined,
): InlinePlugin | undefined {
  return plugins
    .filter((plugin) => plugin.name === name && plugin.start <= place && place < plugin.end)
    .toSorted((a, b) => b.start - a.start)[0];
}

/** The variable that a chain of calls starts from. */
function rootName(subject: CallSite["subject"]): string | undefined {
  let node = subject;
  for (let step = 0; step < MAX_CHAIN && node?.type === "CallExpression"; step++) {
    node = node.callee.type === "MemberExpression" ? node.callee.object : undefined;
  }
  return node?.type === "Identifier" ? node.name : undefined;
}
