/** What an agent is asked for. A `chain` takes more than one step; an `error` has to be understood or mended. */
export const kinds = ["read", "list", "write", "chain", "error", "code"] as const;
export type Kind = (typeof kinds)[number];

/** The ways to do a task, each with the help an agent has there. */
export const modes = [
  "mcp-lean",
  "mcp-indexed",
  "command-lean",
  "command-indexed",
  "gh-help",
  "gh-known",
  "graphql",
  "github-mcp",
  "grep",
] as const;
export type Mode = (typeof modes)[number];

/** Everything plain; the same under a fault of GitHub; or with a wrong first guess. */
export const variants = ["plain", "fault", "guess"] as const;
export type Variant = (typeof variants)[number];

/** A text that an agent sends or reads, with its tokens in o200k. */
export interface Text {
  /** What it is, for a reader: `skill`, `gh issue view --help`, `execute`. */
  what: string;
  /** Absent where only a published count is known (the definitions of GitHub's MCP server). */
  text?: string;
  tokens: number;
}

/** One tool call: what the model writes, and what it has to read then. */
export interface Turn {
  send: Text;
  read: Text;
  /** `discover` finds out how to call; `call` does the task; `recover` follows a failure. */
  purpose: "discover" | "call" | "recover";
}

/** Everything an agent sends and reads for one scenario in one mode. */
export interface Trajectory {
  scenario: string;
  mode: Mode;
  variant: Variant;
  /** What stands in the context from the start, whatever is done then. */
  definitions: Text[];
  turns: Turn[];
}

export interface Tokens {
  /** The whole start text, as it is paid by a session of one operation. */
  definitions: number;
  sent: number;
  read: number;
  /** `sent` and `read` and a tenth of `definitions`: one of a session's ten operations. */
  total: number;
  /** `sent` and `read` and all of `definitions`. */
  single: number;
}

/** How one trajectory came out. */
export interface Played {
  scenario: string;
  kind: Kind;
  /** How many operations the task takes: 1 but for chains. */
  steps: number;
  mode: Mode;
  variant: Variant;
  /** Which fault or which wrong guess; absent in `plain`. */
  trouble?: string;
  calls: number;
  tokens: Tokens;
  /** The answer agrees with the oracle, and every assertion and limit of the scenario holds. */
  passed: boolean;
  /** Why not. */
  reason?: string;
  /** How many writes GitHub applied, by its own count; and how many the task asks for. */
  applied: number;
  wanted: number;
}

/** A play that cannot be made: what the mode has no way to do. It counts nowhere and is listed. */
export interface Absent {
  scenario: string;
  mode: Mode;
  why: string;
}

/** All that a run gives to the report and the plots. */
export interface Outcome {
  played: Played[];
  absent: Absent[];
}

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type Params = { [key: string]: Json };

export interface Step {
  capability: string;
  params: Params;
}

/** What must hold beside the oracle, as far as Waybill's answers are concerned. */
export interface Assertions {
  /** The answer's data fits the capability's own output schema. */
  schema: boolean;
  /** Which operations GitHub must have been asked, by its own log: `GET /repos/{owner}/{repo}` or a GraphQL name. */
  calls?: string[];
  /** How many items the pages read together hold. */
  items?: number;
  /** The code of the failure that a correct answer is. */
  error?: string;
}

export interface Limits {
  calls: number;
  /** For what is sent and read, without the definitions. */
  tokens: number;
}

/** A file of `scenarios/`. */
export interface Scenario {
  id: string;
  kind: Kind;
  /** One sentence, as a user would ask. */
  task: string;
  steps: Step[];
  /** Names an oracle and, where it takes one, its input. */
  oracle: { name: string; input?: Params };
  assertions: Assertions;
  /** The route that Waybill's answer must name. */
  route?: string;
  limits: Limits;
  /** Under which fault it is played again, and which wrong guess is tried first. */
  fault?: string;
  guess?: Step;
}
