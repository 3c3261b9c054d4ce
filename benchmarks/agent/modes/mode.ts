import type { Stage } from "../play/stage.ts";
import type { Scenario, Text, Turn, Variant } from "../types.ts";

/** What one play of a mode gave, before it is judged. */
export interface Performance {
  readonly definitions: readonly Text[];
  readonly turns: readonly Turn[];
  /** What the mode's own expression for the answer is about: what came back for the task. */
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

/** Of the variant `guess`: where things are named otherwise, another mistake would be another matter. */
export function noMistake({ mistake = "a wrong guess" }: Scenario): NoWay {
  return new NoWay(`it cannot make the mistake: ${mistake}`);
}

export type PlayMode = (scene: Scene) => Promise<Performance>;
