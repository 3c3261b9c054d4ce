import type { Params, Step, Turn } from "../types.ts";

export interface Said {
  readonly turn: Turn;
  /** The response as text. */
  readonly text: string;
}

export type Purpose = Turn["purpose"];

/** Options of a call besides its params. */
export interface CallOptions {
  readonly approve?: string;
  readonly after?: string;
}

/** One way to call Waybill, with the text that an agent writes. */
export interface Door {
  /** Text in the agent's context besides the skill. */
  definitions(): Promise<readonly (readonly [what: string, text: string])[]>;
  execute(step: Step, purpose: Purpose, options?: CallOptions): Promise<Said>;
  chain(steps: readonly Step[], purpose: Purpose): Promise<Said>;
  explain(capability: string): Promise<Said>;
  list(domain: string): Promise<Said>;
  /** Help text that the tool definitions do not contain; absent if they are complete. */
  help?(command: "chain" | "graph"): Promise<Said>;
  graph(tool: string, args: Params, purpose: Purpose): Promise<Said>;
}
