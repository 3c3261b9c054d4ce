export { ThreadPool } from "./pool.ts";
export type { PoolOptions } from "./pool.ts";
export { Thread, ThreadEnded } from "./thread.ts";
export type {
  ArgumentFacts,
  Broken,
  CallFacts,
  GuestAnswer,
  GuestCall,
  GuestConfig,
  GuestFailure,
  GuestRound,
  NameFacts,
  ProgramFacts,
  ProgramProblem,
  ResultShape,
  Shape,
  StartMessage,
  Stop,
  Turn,
  TurnAnswer,
} from "./messages.ts";
