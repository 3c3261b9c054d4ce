export { ThreadPool } from "./pool.ts";
export type { PoolOptions } from "./pool.ts";
export { Thread, ThreadEnded } from "./thread.ts";
export type {
  ArgumentFacts,
  CallFacts,
  GuestAnswer,
  GuestCall,
  GuestConfig,
  GuestFailure,
  GuestRound,
  NameFacts,
  ProgramFacts,
  ResultShape,
  Shape,
  Turn,
  TurnAnswer,
} from "./messages.ts";
