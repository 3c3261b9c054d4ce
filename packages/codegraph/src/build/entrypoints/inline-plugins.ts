import type { CallSite } from "./call-site.ts";
import type { FrameworkNotes, InlinePlugin, Mounted } from "./notes.ts";
import { joinPaths } from "./paths.ts";

/** How deep plugins may be nested. */
const MAX_DEPTH = 20;
const MAX_CHAIN = 40;

/** Records a plugin that is an inline function; false for a named one. */
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

/** The router outside of all plugins around a call, with the path from there. */
export function aroundPlugins({ x, node, subject }: CallSite, router: number): Mounted {
  let found: Mounted = { prefix: "", on: router };
  let [name, place] = [rootName(subject), node.start];
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    const plugin = pluginAt(x.notes, place, name);
    if (!plugin) break;
    found = { prefix: joinPaths(plugin.prefix, found.prefix), on: plugin.on };
    // The outer router is declared before the plugin, so the search goes on before its start.
    [name, place] = [plugin.outer, plugin.start - 1];
  }
  return found;
}

/** The innermost plugin at a position that uses this name for its router. */
function pluginAt(
  { plugins }: FrameworkNotes,
  place: number,
  name: string | undefined,
): InlinePlugin | undefined {
  return plugins
    .filter((plugin) => plugin.name === name && plugin.start <= place && place < plugin.end)
    .toSorted((a, b) => b.start - a.start)[0];
}

/** The variable at the start of a chain of calls. */
function rootName(subject: CallSite["subject"]): string | undefined {
  let node = subject;
  for (let step = 0; step < MAX_CHAIN && node?.type === "CallExpression"; step++) {
    node = node.callee.type === "MemberExpression" ? node.callee.object : undefined;
  }
  return node?.type === "Identifier" ? node.name : undefined;
}
