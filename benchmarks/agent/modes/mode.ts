import type { Stage } from "../play/stage.ts";
import type { Scenario, Text, Turn, Variant } from "../types.ts";

/** The result of one play of a mode, before it is judged. */
export interface Performance {
  readonly definitions: readonly Text[];
  readonly turns: readonly Turn[];
  /** The outputs for the mode's answer expression. */
  readonly outputs: readonly unknown[];
  /** The expression that computes the answer from `outputs`; absent if the task only changes something. */
  readonly answer: string | undefined;
  /** Set if the outputs are what a program returned, not the data of a capability. */
  readonly hasOwnForm?: true;
}

export interface Scene {
  readonly scenario: Scenario;
  readonly variant: Variant;
  readonly stage: Stage;
}

/** Why a mode cannot play a scenario. */
export class NoWay extends Error {}

/** In the variant `guess`: this mode uses other names, so the mistake cannot happen. */
export function noMistake({ mistake = "a wrong guess" }: Scenario): NoWay {
  return new NoWay(`it cannot make the mistake: ${mistake}`);
}

export type PlayMode = (scene: Scene) => Promise<Performance>;
