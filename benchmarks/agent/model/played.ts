import type { PlayedBy } from "../figures/index.ts";

/** The tools a model gets for a task. */
export const DOORS = ["waybill", "gh"] as const;
export type Door = (typeof DOORS)[number];

/** The usage that an endpoint reported, over all requests of a play. */
export interface Usage {
  readonly requests: number;
  readonly input: number;
  readonly output: number;
}

/** A play by a real model: the figures of a scripted play, and those of the endpoint. */
export interface ModelPlayed extends PlayedBy<Door> {
  readonly usage: Usage;
}
