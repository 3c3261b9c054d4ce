import type { Stage } from "../play/stage.ts";
import type { Scenario, Text, Turn, Variant } from "../types.ts";

/** The result of one play of a mode, before it is judged. */
export interface Performance {
  readonly definitions: readonly Text[];
  readonly turns: readonly Turn[];
  /** The outputs that the mode's answer expression reads. */
  readonly outputs: readonly unknown[];
  /** That expression; absent where the task is only to change something. */
  readonly answer: string | undefined;
}

export interface Scene {
  readonly scenario: Scenario;
  readonly variant: Variant;
  readonly stage: Stage;
}

/** Why a mode cannot play a scenario. */
export class NoWay extends Error {}

/** In the variant `guess`: a mode with other names would make another mistake. */
export function noMistake({ mistake = "a wrong guess" }: Scenario): NoWay {
  return new NoWay(`it cannot make the mistake: ${mistake}`);
}

export type PlayMode = (scene: Scene) => Promise<Performance>;
