import { GraphWorkspace, checkRules } from "@waybill/codegraph";
import type { GraphView, LayerRules } from "@waybill/codegraph";

/** A source tree as our code graph sees it. */
export async function readView(root: string): Promise<GraphView> {
  const workspace = new GraphWorkspace({ root });
  const view = await workspace.view("none");
  await workspace.close();
  return view;
}

/** `file:line rule → target` for each violation of a rule. */
export function violationsIn({ graph }: GraphView, rules: LayerRules): string[] {
  return checkRules(graph, rules).map(({ rule, sourceFile, line, targetFile }) => {
    const place = line === undefined ? sourceFile : `${sourceFile}:${line}`;
    return `${place} ${rule} → ${targetFile}`;
  });
}
