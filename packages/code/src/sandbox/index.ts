export { ThreadPool } from "./pool.ts";
export type { PoolOptions } from "./pool.ts";
export { Thread, ThreadEnded } from "./thread.ts";
export type {
  Comparison,
  WrittenArgument,
  WrittenCall,
  GuestAnswer,
  GuestCall,
  GuestConfig,
  GuestFailure,
  GuestRound,
  NameUse,
  ProgramOutline,
  ResultShape,
  Shape,
  Turn,
  TurnAnswer,
} from "./messages.ts";
