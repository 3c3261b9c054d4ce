import type { NamedStep, PreparedInput } from "../../cards/index.ts";
import type { ResultEnvelope } from "../../envelope/index.ts";

/** What a chain needs to know of a task before anything is sent. */
export interface TaskFacts {
  readonly isWrite: boolean;
  readonly source: string;
  /** Whether it is a write that may be sent together with others of its source. */
  readonly isMergeable?: boolean;
  /** The key of a write. */
  readonly key?: string | undefined;
}

/** A step whose input is complete, ready to be called like any single call. */
export interface ReadyStep {
  readonly step: NamedStep;
  readonly facts: TaskFacts;
  readonly input: unknown;
  /** Parts of it only an earlier step can tell, which a dry run does not ask. */
  readonly isPending: boolean;
}

/** What a chain asks of whoever runs it. */
export interface ChainHooks {
  /** Makes the tasks known; throws when the chain as a whole must not be run. */
  begin?(): Promise<void>;
  /** Throws for a task that does not exist. */
  facts(step: NamedStep): TaskFacts;
  /** Throws what is wrong with a step's input, leaving aside the places still to be filled. */
  check(step: NamedStep, input: PreparedInput): Promise<void>;
  /** Throws when a reference leads to where a step's output has nothing. */
  checkReference(path: readonly string[] | undefined, steps: ReadonlyMap<string, string>): void;
  /** Calls steps that may run side by side; answers in their order, never throws. */
  run(steps: readonly ReadyStep[]): Promise<readonly ResultEnvelope[]>;
  readonly requestId: string;
}
