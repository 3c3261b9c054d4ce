import type { Params, Step, Turn } from "../types.ts";

export interface Said {
  readonly turn: Turn;
  /** What came back, as it came. */
  readonly text: string;
}

export type Purpose = Turn["purpose"];

/** What goes beside the params of a call. */
export interface CallOptions {
  readonly approve?: string;
  readonly after?: string;
}

/** One way to call Waybill, with the words that an agent writes there. */
export interface Door {
  /** What stands in the context besides the skill. */
  definitions(): Promise<readonly (readonly [what: string, text: string])[]>;
  execute(step: Step, purpose: Purpose, options?: CallOptions): Promise<Said>;
  chain(steps: readonly Step[], purpose: Purpose): Promise<Said>;
  explain(capability: string): Promise<Said>;
  list(domain: string): Promise<Said>;
  /** What the definitions have not said of a command; absent where they say all there is. */
  help?(command: "chain" | "graph"): Promise<Said>;
  graph(tool: string, args: Params, purpose: Purpose): Promise<Said>;
}
