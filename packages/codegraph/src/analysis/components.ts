import type { CodeGraph } from "../graph/index.ts";
import { APART, EAGER, REEXPORT, RUNTIME, linksOut } from "./links.ts";
import type { Links } from "./links.ts";
import { perGraph } from "./per-graph.ts";

/** The strongly connected components of a graph: groups of nodes that all lead to each other. */
export interface Components {
  /** The component number of each node. A single node is a component too. */
  readonly of: Int32Array;
  /** The components with more than one node, each sorted. */
  readonly circles: readonly (readonly number[])[];
}

/** Tarjan's algorithm in linear time. It uses its own stack, so the depth is not limited. */
export function findComponents(links: Links, mask: number = APART): Components {
  const walk = new ComponentWalk(links, mask);
  for (let node = 0; node < links.starts.length - 1; node++) walk.from(node);
  return { of: walk.component, circles: walk.circles };
}

class ComponentWalk {
  readonly component: Int32Array;
  readonly circles: number[][] = [];
  readonly #links: Links;
  readonly #mask: number;
  readonly #index: Int32Array;
  readonly #low: Int32Array;
  readonly #next: Uint32Array;
  readonly #stack: number[] = [];
  #count = 0;
  #components = 0;

  constructor(links: Links, mask: number) {
    const nodes = links.starts.length - 1;
    this.#links = links;
    this.#mask = mask;
    this.component = new Int32Array(nodes).fill(-1);
    this.#index = new Int32Array(nodes).fill(-1);
    this.#low = new Int32Array(nodes);
    this.#next = links.starts.slice(0, nodes);
  }

  from(root: number): void {
    if (this.#index[root] !== -1) return;
    const trail = [root];
    this.#enter(root);
    for (let node = trail.at(-1); node !== undefined; node = trail.at(-1)) {
      const child = this.#nextChild(node);
      if (child !== undefined) {
        this.#enter(child);
        trail.push(child);
        continue;
      }
      trail.pop();
      const parent = trail.at(-1);
      if (parent !== undefined) this.#lower(parent, this.#low[node]!);
      if (this.#low[node] === this.#index[node]) this.#close(node);
    }
  }

  #enter(node: number): void {
    this.#index[node] = this.#count;
    this.#low[node] = this.#count++;
    this.#stack.push(node);
  }

  #lower(node: number, to: number): void {
    if (to < this.#low[node]!) this.#low[node] = to;
  }

  /** The next neighbour that was not visited yet. Neighbours on the stack are recorded. */
  #nextChild(node: number): number | undefined {
    const { starts, targets, flags } = this.#links;
    const end = starts[node + 1]!;
    while (this.#next[node]! < end) {
      const link = this.#next[node]!++;
      if ((flags[link]! & this.#mask) === 0) continue;
      const target = targets[link]!;
      if (this.#index[target] === -1) return target;
      if (this.component[target] === -1) this.#lower(node, this.#index[target]!);
    }
    return undefined;
  }

  #close(root: number): void {
    const members: number[] = [];
    let node: number;
    do {
      node = this.#stack.pop()!;
      this.component[node] = this.#components;
      members.push(node);
    } while (node !== root);
    this.#components += 1;
    if (members.length > 1) this.circles.push(members.toSorted((a, b) => a - b));
  }
}

/** Cycles over every kind of link. */
export const allComponents: (graph: CodeGraph) => Components = perGraph((graph) =>
  findComponents(linksOut(graph)),
);

/** Cycles that exist at run time. */
export const runtimeComponents: (graph: CodeGraph) => Components = perGraph((graph) =>
  findComponents(linksOut(graph), RUNTIME),
);

/**
 * Cycles of imports that run at load time. These can reach a module that is not initialised yet.
 */
export const eagerComponents: (graph: CodeGraph) => Components = perGraph((graph) =>
  findComponents(linksOut(graph), EAGER),
);

export const reexportComponents: (graph: CodeGraph) => Components = perGraph((graph) =>
  findComponents(linksOut(graph), REEXPORT),
);
