import { fail } from "@waybill/core";
import { changeAnnotations, filesMatching, loadAnnotations } from "../annotations/index.ts";
import type { Annotations, Ignore } from "../annotations/index.ts";
import type { CodeGraph, EntrypointKind } from "../graph/index.ts";
import { compileScope } from "../patterns/index.ts";
import { confinedPath } from "../query/index.ts";
import type { Answer, IssueKind } from "../query/index.ts";

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

interface Place {
  readonly root: string;
  readonly graph: CodeGraph;
}

/** The value of an input that the action cannot do without. */
function needed<K extends keyof AnnotationsInput>(
  input: AnnotationsInput,
  name: K,
): NonNullable<AnnotationsInput[K]> {
  const value = input[name];
  if (value !== undefined) return value;
  throw fail("VALIDATION", `${input.action} needs ${name}`, {
    issues: [{ path: `/${name}`, message: `is required for ${input.action}`, missing: true }],
  });
}

/** A pattern within the root that can be compiled. */
function pattern({ root }: Place, text: string): string {
  const path = confinedPath(root, text);
  compileScope(path);
  return path;
}

function nextId(prefix: string, taken: readonly { readonly id: string }[]): string {
  const numbers = taken.map(({ id }) => Number(id.slice(prefix.length)) || 0);
  return `${prefix}${Math.max(0, ...numbers) + 1}`;
}

function why({ reason }: AnnotationsInput): { reason?: string } {
  return reason === undefined ? {} : { reason };
}

type Changed = { readonly changed: Annotations; readonly result: { id: string; message: string } };

function counted(count: number): string {
  return count === 1 ? "1 file" : `${count} files`;
}

function addEdge(place: Place, input: AnnotationsInput, all: Annotations): Changed {
  const from = pattern(place, needed(input, "from"));
  const to = pattern(place, needed(input, "to"));
  const id = nextId("edge-", all.edges);
  const [ends, starts] = [filesMatching(place.graph, to), filesMatching(place.graph, from)];
  const message = `${counted(starts.length)} now lead to ${counted(ends.length)}`;
  const edges = [...all.edges, { id, from, to, ...why(input) }];
  return { changed: { ...all, edges }, result: { id, message } };
}

function addEntrypoint(place: Place, input: AnnotationsInput, all: Annotations): Changed {
  const path = pattern(place, needed(input, "path"));
  const type = needed(input, "type");
  const id = nextId("entry-", all.entrypoints);
  const { name } = input;
  const added = { id, path, type, ...(name !== undefined && { name }), ...why(input) };
  const message = `${counted(filesMatching(place.graph, path).length)} now enter the program`;
  return { changed: { ...all, entrypoints: [...all.entrypoints, added] }, result: { id, message } };
}

function addIgnore(place: Place, input: AnnotationsInput, all: Annotations): Changed {
  const { kind, issueId } = input;
  const path = input.path === undefined ? undefined : pattern(place, input.path);
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
      hint: "action list shows them",
    });
  }
  const changed = {
    edges: without(all.edges),
    entrypoints: without(all.entrypoints),
    ignores: without(all.ignores),
  };
  return { changed, result: { id, message: "removed" } };
}

function change(place: Place, input: AnnotationsInput, all: Annotations): Changed {
  switch (input.action) {
    case "addEdge":
      return addEdge(place, input, all);
    case "addEntrypoint":
      return addEntrypoint(place, input, all);
    case "addIgnore":
      return addIgnore(place, input, all);
    default:
      return remove(input, all);
  }
}

function listed({ edges, entrypoints, ignores }: Annotations): Answer {
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

/** Lists what people added to the graph, or writes it; the next question sees it. */
export async function annotationsTool(place: Place, input: AnnotationsInput): Promise<Answer> {
  if (input.action === "list") return listed(await loadAnnotations(place.root));
  const result = await changeAnnotations(place.root, (all) => change(place, input, all));
  return {
    items: [],
    limit: 0,
    next: [{ tool: "annotations", args: { action: "list" }, reason: "what is written down now" }],
    render: () => ({ success: true, ...result }),
  };
}
