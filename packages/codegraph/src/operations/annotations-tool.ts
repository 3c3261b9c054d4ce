import { fail } from "@waybill/core";
import { changeAnnotations, filesMatching, loadAnnotations } from "../annotations/index.ts";
import type { Annotations, Ignore } from "../annotations/index.ts";
import type { EntrypointKind } from "../graph/index.ts";
import { confinedPath, findIssue, noFileAt } from "../query/index.ts";
import type { Answer, GraphView, IssueKind } from "../query/index.ts";

export interface AnnotationsInput {
  readonly action: "list" | "addEdge" | "addEntrypoint" | "addIgnore" | "remove";
  readonly from?: string;
  readonly to?: string;
  readonly path?: string;
  readonly type?: EntrypointKind;
  readonly name?: string;
  readonly kind?: IssueKind;
  readonly issueId?: string;
  readonly reason?: string;
  readonly id?: string;
}

/** The value of an input that the action requires. */
function needed<K extends keyof AnnotationsInput>(
  input: AnnotationsInput,
  name: K,
): NonNullable<AnnotationsInput[K]> {
  const value = input[name];
  if (value !== undefined) return value;
  throw fail("VALIDATION", `The action ${input.action} requires the input ${name}`, {
    issues: [{ path: `/${name}`, message: `is required for ${input.action}`, missing: true }],
  });
}

interface Files {
  /** A path or glob within the root. */
  readonly pattern: string;
  readonly count: number;
}

/**
 * The files of an annotation. Throws if there are none, because the annotation would have no
 * effect.
 */
function filesAt({ root, graph }: GraphView, text: string): Files {
  const pattern = confinedPath(root, text);
  const count = filesMatching(graph, pattern).length;
  if (count === 0) throw noFileAt(graph, pattern);
  return { pattern, count };
}

function nextId(prefix: string, taken: readonly { readonly id: string }[]): string {
  const numbers = taken.map(({ id }) => Number(id.slice(prefix.length)) || 0);
  return `${prefix}${Math.max(0, ...numbers) + 1}`;
}

function why({ reason }: AnnotationsInput): { reason?: string } {
  return reason === undefined ? {} : { reason };
}

type Changed = { readonly changed: Annotations; readonly result: { id: string; message: string } };

function countedFiles(count: number): string {
  return count === 1 ? "1 file" : `${count} files`;
}

function addEdge(view: GraphView, input: AnnotationsInput, all: Annotations): Changed {
  const [from, to] = [needed(input, "from"), needed(input, "to")];
  const [starts, ends] = [filesAt(view, from), filesAt(view, to)];
  const id = nextId("edge-", all.edges);
  const message = `Added an edge from ${countedFiles(starts.count)} to ${countedFiles(ends.count)}`;
  const added = { id, from: starts.pattern, to: ends.pattern, ...why(input) };
  const edges = [...all.edges, added];
  return { changed: { ...all, edges }, result: { id, message } };
}

function addEntrypoint(view: GraphView, input: AnnotationsInput, all: Annotations): Changed {
  const { pattern: path, count } = filesAt(view, needed(input, "path"));
  const type = needed(input, "type");
  const id = nextId("entry-", all.entrypoints);
  const { name } = input;
  const added = { id, path, type, ...(name !== undefined && { name }), ...why(input) };
  const message = `Added ${countedFiles(count)} to the entry points`;
  return { changed: { ...all, entrypoints: [...all.entrypoints, added] }, result: { id, message } };
}

function addIgnore(view: GraphView, input: AnnotationsInput, all: Annotations): Changed {
  const { kind, issueId } = input;
  const path = input.path === undefined ? undefined : filesAt(view, input.path).pattern;
  // Also finds ignored issues.
  if (issueId !== undefined) findIssue({ ...view, ignores: [] }, issueId);
  if (kind === undefined && issueId === undefined && path === undefined) needed(input, "kind");
  const id = nextId("ignore-", all.ignores);
  const added: Ignore = {
    id,
    ...(issueId !== undefined && { issueId }),
    ...(kind !== undefined && { kind }),
    ...(path !== undefined && { path }),
    ...why(input),
  };
  const message = "such issues are no longer reported";
  return { changed: { ...all, ignores: [...all.ignores, added] }, result: { id, message } };
}

function remove(input: AnnotationsInput, all: Annotations): Changed {
  const id = needed(input, "id");
  const without = <T extends { readonly id: string }>(list: readonly T[]): T[] =>
    list.filter((each) => each.id !== id);
  const known = [...all.edges, ...all.entrypoints, ...all.ignores];
  if (!known.some((each) => each.id === id)) {
    throw fail("NOT_FOUND", `There is no annotation ${JSON.stringify(id)}`, {
      did_you_mean: known.map((each) => each.id).slice(0, 5),
      hint: "Use action=list to list the annotations",
    });
  }
  const changed = {
    edges: without(all.edges),
    entrypoints: without(all.entrypoints),
    ignores: without(all.ignores),
  };
  return { changed, result: { id, message: "removed" } };
}

function change(view: GraphView, input: AnnotationsInput, all: Annotations): Changed {
  switch (input.action) {
    case "addEdge":
      return addEdge(view, input, all);
    case "addEntrypoint":
      return addEntrypoint(view, input, all);
    case "addIgnore":
      return addIgnore(view, input, all);
    default:
      return remove(input, all);
  }
}

function listedAnnotations({ edges, entrypoints, ignores }: Annotations): Answer {
  const items = [
    ...edges.map((each) => ({ list: "edges", each })),
    ...entrypoints.map((each) => ({ list: "entrypoints", each })),
    ...ignores.map((each) => ({ list: "ignores", each })),
  ];
  return {
    items,
    limit: 50,
    render: (shown) => {
      const of = (list: string): object[] =>
        (shown as typeof items).filter((item) => item.list === list).map(({ each }) => each);
      return { edges: of("edges"), entrypoints: of("entrypoints"), ignores: of("ignores") };
    },
  };
}

/** Lists or changes annotations. The next question uses them. */
export async function annotationsTool(view: GraphView, input: AnnotationsInput): Promise<Answer> {
  if (input.action === "list") return listedAnnotations(await loadAnnotations(view.root));
  const result = await changeAnnotations(view.root, (all) => change(view, input, all));
  return {
    items: [],
    limit: 0,
    next: [{ tool: "annotations", args: { action: "list" }, reason: "the current annotations" }],
    render: () => ({ success: true, ...result }),
  };
}
