import { posix } from "node:path";
import type { Drawing } from "./drawing.ts";

function omittedNote({ omitted, level }: Drawing): string[] {
  return omitted === 0 ? [] : [`${omitted} more ${level}s are not shown`];
}

/** Escapes everything that could end a label. Mermaid reads `#name;` as a character. */
function mermaidText(text: string): string {
  return text.replaceAll(/[^\w\s./@+,~-]/gu, (character) => `#${character.codePointAt(0)!};`);
}

export function toMermaid(drawing: Drawing): string {
  const { nodes, edges } = drawing;
  return [
    "graph LR",
    ...omittedNote(drawing).map((note) => `  %% ${note}`),
    ...nodes.map(({ path }, id) => `  n${id}["${mermaidText(path)}"]`),
    ...edges.map(({ from, to, typeOnly }) => `  n${from} ${typeOnly ? "-.->" : "-->"} n${to}`),
    "",
  ].join("\n");
}

function dotText(text: string): string {
  return `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n")}"`;
}

/** Graphviz DOT, with one frame for the nodes of each folder. */
export function toDot(drawing: Drawing): string {
  const { nodes, edges } = drawing;
  const folders = new Map<string, number[]>();
  for (const [id, { path }] of nodes.entries()) {
    const folder = posix.dirname(path);
    folders.set(folder, [...(folders.get(folder) ?? []), id]);
  }
  const clusters = [...folders].flatMap(([folder, ids], place) => [
    `  subgraph cluster_${place} {`,
    `    label=${dotText(folder)};`,
    ...ids.map((id) => `    n${id} [label=${dotText(posix.basename(nodes[id]!.path))}];`),
    "  }",
  ]);
  return [
    "digraph code {",
    "  rankdir=LR;",
    "  node [shape=box, fontname=sans-serif];",
    ...omittedNote(drawing).map((note) => `  // ${note}`),
    ...clusters,
    ...edges.map(
      ({ from, to, typeOnly }) => `  n${from} -> n${to}${typeOnly ? " [style=dashed]" : ""};`,
    ),
    "}",
    "",
  ].join("\n");
}

export function toJsonText(drawing: Drawing): string {
  const { nodes } = drawing;
  const edges = drawing.edges.map(({ from, to, ...edge }) => ({
    from: nodes[from]!.path,
    to: nodes[to]!.path,
    ...edge,
  }));
  return `${JSON.stringify({ ...drawing, edges }, null, 2)}\n`;
}
