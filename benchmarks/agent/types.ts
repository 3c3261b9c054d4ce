/**
 * The kinds of tasks. A `chain` takes more than one step; an `error` has to be understood or fixed.
 */
export const kinds = ["read", "list", "write", "chain", "error", "code"] as const;
export type Kind = (typeof kinds)[number];

/** The ways to do a task, each with the help an agent has there. */
export const modes = [
  "mcp-lean",
  "mcp-indexed",
  "command-lean",
  "command-indexed",
  "mcp-code",
  "command-code",
  "gh-help",
  "gh-known",
  "graphql",
  "graphql-fields",
  "github-mcp",
  "github-mcp-deferred",
  "grep",
] as const;
export type Mode = (typeof modes)[number];

/** Everything plain; the same under a fault of GitHub; or with a wrong first guess. */
export const variants = ["plain", "fault", "guess"] as const;
export type Variant = (typeof variants)[number];

/** A text that an agent sends or reads, with its tokens in o200k. */
export interface Text {
  /** A label for the reader: `skill`, `gh issue view --help`, `execute`. */
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
  /** Asked for in one call with the turn before, as several types of a schema are. */
  joined?: true;
}

/** Everything an agent sends and reads for one scenario in one mode. */
export interface Trajectory {
  scenario: string;
  mode: Mode;
  variant: Variant;
  /** Text that is in the context from the start. */
  definitions: Text[];
  turns: Turn[];
}

export interface Tokens {
  /** The whole start text, as it is paid by a session of one operation. */
  definitions: number;
  sent: number;
  read: number;
  /**
   * One of a session's ten operations: a tenth of `definitions`, what is sent and read, and of what
   * was looked up the share that falls to it, since a session reads a text once.
   */
  total: number;
  /** The same with everything looked up again: `sent` and `read` and a tenth of `definitions`. */
  anew: number;
  /** As `total`, for one of three operations. */
  three: number;
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
  /** As `calls`, with the share of those that look something up that falls to one of ten operations. */
  sessionCalls: number;
  tokens: Tokens;
  /** The tokens of the request's words and of the answer's values alone. */
  floor?: number;
  /** The answer agrees with the oracle, and every assertion and limit of the scenario holds. */
  passed: boolean;
  /** Why not. */
  reason?: string;
  /** How many writes GitHub applied, by its own count and without repeats; how many the task asks for. */
  applied: number;
  wanted: number;
  /** How many of them were applied oftener than the scenario wants that mutation. */
  doubled?: number;
  /** Repeats that the scenario calls harmless and that left GitHub as it was: closing what is closed. */
  repeated?: number;
}

/**
 * A play that cannot be made: what the mode has no way to do, or a fault that none of its requests
 * met. It counts nowhere and is listed.
 */
export interface Absent {
  scenario: string;
  mode: Mode;
  variant: Variant;
  why: string;
}

/** How the reason begins where a fault met none of a play's requests. */
export const NO_FAULT = "no fault met";

/** All that a run gives to the report and the plots. */
export interface Outcome {
  played: Played[];
  absent: Absent[];
  /** The requests and responses; without them full answers count as brief ones. */
  trajectories?: Trajectory[];
}

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type Params = { [key: string]: Json };

/** One call of Waybill; `id` names it where a later step uses its answer. */
export interface Step {
  capability: string;
  params: Params;
  /** Parts of the answer; `none` is for steps of a chain. */
  select?: string[] | "none" | undefined;
  id?: string | undefined;
}

/**
 * The truth: an expression (JMESPath) over the embedded GitHub's own state, or the compiler's
 * answer.
 */
export interface Oracle {
  /** Compared with each mode's answer, or with `equals` where the task is to change something. */
  state?: string | undefined;
  equals?: Json | undefined;
  /** A question to TypeScript's language service about the code base that is asked about. */
  compiler?: { question: string; file: string; symbol?: string | undefined } | undefined;
}

/** Checks of Waybill's answers in addition to the oracle. */
interface Assertions {
  /** Every answer's data fits the capability's own output schema; of a selection, what it selects. */
  schema?: boolean | undefined;
  /** Requests that must be in GitHub's own log: `GET /user` or a field of GraphQL's root. */
  calls?: string[] | undefined;
  /** How many pages are read. */
  pages?: number | undefined;
  /** The code of the failure that a correct answer is. */
  error?: string | undefined;
}

/** For what is sent and read with the indexed skill, without the start text. */
interface Limits {
  calls: number;
  tokens: number;
}

/** Commands of a shell, and how to read the answer; which pages of help they take is computed. */
export interface Commands {
  run: string[];
  /** JMESPath over the list of what the commands printed, JSON where it is JSON. */
  answer?: string | undefined;
  /** After a write whose fate is unknown: how to see whether it took place. */
  check?: string | undefined;
  /** JMESPath over what `check` printed: whether the first write is there. */
  seen?: string | undefined;
  /** The first attempt in the variant `guess`; absent if the mistake is impossible. */
  guess?: string | undefined;
}

/** Raw GraphQL: the documents; what has to be read of the schema for them is computed. */
export interface Documents {
  run: string[];
  answer?: string | undefined;
  check?: string | undefined;
  seen?: string | undefined;
  guess?: string | undefined;
}

/** A call of GitHub's MCP server; its answer is that of `rest`, reduced to the fields of `shape`. */
export interface ToolUse {
  tool: string;
  args: Params;
  rest: string;
  body?: Params | undefined;
  shape: string;
}

export interface ToolUses {
  run: ToolUse[];
  answer?: string | undefined;
  check?: ToolUse | undefined;
  seen?: string | undefined;
}

/** A request that the fault is for, by the whole path of REST or a name in GraphQL. */
interface FaultPoint {
  path?: string | undefined;
  operation?: string | undefined;
}

/** A file of `scenarios/`. */
export interface Scenario {
  id: string;
  kind: Kind;
  /** One sentence, as a user would ask. */
  task: string;
  steps: Step[];
  /** JMESPath over the list of Waybill's envelopes, one for each step or page. */
  answer?: string | undefined;
  /** The program of the code door, where it is not simply the one step. It returns the step's data. */
  program?: string | undefined;
  oracle: Oracle;
  assertions: Assertions;
  /** The route that Waybill's answers must name. */
  route?: string | undefined;
  limits: Limits;
  /** The mistake of the variant `guess` in words, the same in every mode. */
  mistake?: string | undefined;
  /** The wrong call to Waybill in that variant. */
  guess?: Step | undefined;
  /** The first try of an agent that knows only the lean skill, if its rules do not give the id. */
  hunch?: Step | undefined;
  /** How many writes the task asks for; 0 where it asks for one that has to be refused. */
  writes?: number | undefined;
  /** How often each mutation may be applied, by the name under which GitHub counts it. */
  mutations?: Record<string, number> | undefined;
  /** Mutations that do no harm when they are repeated, as long as nothing changes by it. */
  harmless?: string[] | undefined;
  /** The requests that the fault may hit (default: the first request, or the first write). */
  fault?: FaultPoint[] | undefined;
  /** Where to look after a write whose fate is unknown; Waybill's answer comes first if it says where. */
  look?: Step | undefined;
  /** JMESPath over the envelope that came back: what the first write made, or null. */
  seen?: string | undefined;
  /** Other modes; a text says why there is no way. */
  gh: Commands | string;
  graphql: Documents | string;
  github_mcp: ToolUses | string;
  grep: Commands | string;
}
