import type { Params, Step, Turn } from "../types.ts";

export interface Said {
  readonly turn: Turn;
  /** The raw response. */
  readonly text: string;
}

export type Purpose = Turn["purpose"];

/** Options that go beside the params of a call. */
export interface CallOptions {
  readonly approve?: string;
  readonly after?: string;
}

/** One way to call Waybill, with the words that an agent writes there. */
export interface Door {
  /** Text in the context besides the skill. */
  definitions(): Promise<readonly (readonly [what: string, text: string])[]>;
  execute(step: Step, purpose: Purpose, options?: CallOptions): Promise<Said>;
  chain(steps: readonly Step[], purpose: Purpose): Promise<Said>;
  explain(capability: string): Promise<Said>;
  list(domain: string): Promise<Said>;
  /** The help that the definitions leave out; absent if they are complete. */
  help?(command: "chain" | "graph"): Promise<Said>;
  graph(tool: string, args: Params, purpose: Purpose): Promise<Said>;
}
