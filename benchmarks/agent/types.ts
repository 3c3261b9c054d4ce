/**
 * The kinds of tasks. A `chain` has several steps; an `error` must be understood or fixed; a `bulk`
 * task loops over many items, filters them or joins them.
 */
export const kinds = ["read", "list", "write", "chain", "error", "bulk", "code"] as const;
export type Kind = (typeof kinds)[number];

/** The modes: ways to do a task, each with its own help for the agent. */
export const modes = [
  "mcp-lean",
  "mcp-indexed",
  "command-lean",
  "command-indexed",
  "mcp-code",
  "command-code",
  "gh-help",
  "gh-known",
  "gh-memory",
  "gh-current",
  "gh-axi",
  "ghx",
  "graphql",
  "graphql-fields",
  "github-mcp",
  "github-mcp-deferred",
  "grep",
] as const;
export type Mode = (typeof modes)[number];

/** `plain`: nothing goes wrong. `fault`: GitHub fails once. `guess`: the first call is wrong. */
export const variants = ["plain", "fault", "guess"] as const;
export type Variant = (typeof variants)[number];

/** A text that an agent sends or reads, with its number of o200k tokens. */
export interface Text {
  /** A label for the reader: `skill`, `gh issue view --help`, `execute`. */
  what: string;
  /** Absent if only a published count is known (the definitions of GitHub's MCP server). */
  text?: string;
  tokens: number;
}

/** One tool call: the text that the model writes, and the answer that it reads. */
export interface Turn {
  send: Text;
  read: Text;
  /** `discover` finds out how to call; `call` does the task; `recover` follows a failure. */
  purpose: "discover" | "call" | "recover";
  /**
   * Set if it was sent in one call with the previous turn, for example for several types of a
   * schema.
   */
  joined?: true;
}

/** Everything an agent sends and reads for one scenario in one mode. */
export interface Trajectory {
  scenario: string;
  mode: Mode;
  variant: Variant;
  /** Text in the agent's context from the start of the session. */
  definitions: Text[];
  turns: Turn[];
}

export interface Tokens {
  /** The tokens of the whole start text, as in a session of one operation. */
  definitions: number;
  sent: number;
  read: number;
  /**
   * The tokens of one of ten operations in a session: a tenth of `definitions`, what is sent and
   * read, and a share of the lookups, because a session reads each text once.
   */
  total: number;
  /** Like `total`, but with all lookups: `sent`, `read` and a tenth of `definitions`. */
  anew: number;
  /** Like `total`, for one of three operations. */
  three: number;
  /** The tokens of a session with a single operation: `sent`, `read` and all of `definitions`. */
  single: number;
}

/** The result of one trajectory. */
export interface Played {
  scenario: string;
  kind: Kind;
  /** The number of operations in the task: 1, except for chains. */
  steps: number;
  mode: Mode;
  variant: Variant;
  /** The fault or the wrong guess; absent in `plain`. */
  trouble?: string;
  calls: number;
  /** Like `calls`, but with only a share of the lookups, for one of ten operations. */
  sessionCalls: number;
  /** Like `sessionCalls`, for one of three operations; absent if no lookup is shared. */
  shortCalls?: number;
  tokens: Tokens;
  /** The tokens of only the request's words and the answer's values. */
  floor?: number;
  /**
   * Whether the answer agrees with the oracle, and all assertions and limits of the scenario are
   * met.
   */
  passed: boolean;
  /** Why the play did not pass. */
  reason?: string;
  /**
   * How many writes GitHub applied, by its own count and without repeats. `wanted` is how many the
   * task asks for.
   */
  applied: number;
  wanted: number;
  /** How many writes were applied more often than the scenario allows. */
  doubled?: number;
  /**
   * Repeats that the scenario calls harmless and that changed nothing, such as closing a closed
   * issue.
   */
  repeated?: number;
}

/**
 * A play that is not possible: the mode cannot do the task, or the fault hit none of its requests.
 * It is listed but not counted.
 */
export interface Absent {
  scenario: string;
  mode: Mode;
  variant: Variant;
  why: string;
}

/** The start of the reason if a fault hit no request. */
export const NO_FAULT = "no fault met";

/** Everything that the report and the charts need. */
export interface Outcome {
  played: Played[];
  absent: Absent[];
  /** The requests and responses; without them full answers count as brief ones. */
  trajectories?: Trajectory[];
}

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type Params = { [key: string]: Json };

/** One call of Waybill. `id` is set if a later step uses its answer. */
export interface Step {
  capability: string;
  params: Params;
  /** The selected parts of the answer; `none` is for steps of a chain. */
  select?: string[] | "none" | undefined;
  id?: string | undefined;
  /** One of a bulk task's calls that differ in an item only, and that are sent together. */
  many?: true | undefined;
}

/** The truth: a JMESPath expression over the embedded GitHub's state, or the compiler's answer. */
export interface Oracle {
  /** The true answer: what each mode must answer, or `equals` if the task changes something. */
  state?: string | undefined;
  equals?: Json | undefined;
  /** A question to TypeScript's language service about the code base. */
  compiler?: { question: string; file: string; symbol?: string | undefined } | undefined;
}

/** Checks of Waybill's answers in addition to the oracle. */
interface Assertions {
  /**
   * Whether every answer's data must match the capability's output schema, as far as it is
   * selected.
   */
  schema?: boolean | undefined;
  /** Requests that must be in GitHub's log: `GET /user`, or a root field of GraphQL. */
  calls?: string[] | undefined;
  /** How many pages are read. */
  pages?: number | undefined;
  /** The error code, if the correct answer is a failure. */
  error?: string | undefined;
}

/** Limits for the tokens sent and read with the indexed skill, without the start text. */
interface Limits {
  calls: number;
  tokens: number;
}

/** Shell commands, and how to read the answer. Their help pages are computed. */
export interface Commands {
  run: string[];
  /** JMESPath over the list of outputs, which are parsed if they are JSON. */
  answer?: string | undefined;
  /** A command that checks whether a write with unknown outcome was applied. */
  check?: string | undefined;
  /** JMESPath over the output of `check`: whether the first write was applied. */
  seen?: string | undefined;
  /** The first attempt in the variant `guess`; absent if the mistake is impossible. */
  guess?: string | undefined;
  /**
   * Shorter lines that a current `gh` accepts, in the order of `run`, each with its output. Without
   * an output, it is that of the line in `run`.
   */
  current?: (readonly [line: string, printed?: string | undefined])[] | undefined;
}

/** Raw GraphQL documents. The parts of the schema that they need are computed. */
export interface Documents {
  run: string[];
  answer?: string | undefined;
  check?: string | undefined;
  seen?: string | undefined;
  guess?: string | undefined;
}

/**
 * A call of GitHub's MCP server. Its answer is that of `rest`, reduced to the fields of `shape`.
 */
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

/** A request that the fault hits, by its whole REST path or a GraphQL name. */
interface FaultPoint {
  path?: string | undefined;
  operation?: string | undefined;
}

/** The content of a file in `scenarios/`. */
export interface Scenario {
  id: string;
  kind: Kind;
  /** The task in one sentence, as a user would write it. */
  task: string;
  steps: Step[];
  /** JMESPath over the list of Waybill's envelopes, one for each step or page. */
  answer?: string | undefined;
  /**
   * The program for the tool `code`, if it is more than the one step. It returns the step's data.
   */
  program?: string | undefined;
  /** JMESPath over the envelope with the value that a bulk task's program returns (default: its data). */
  program_answer?: string | undefined;
  oracle: Oracle;
  assertions: Assertions;
  /** The route that Waybill's answers must name. */
  route?: string | undefined;
  limits: Limits;
  /** The mistake of the variant `guess` in words. It is the same in every mode. */
  mistake?: string | undefined;
  /** The wrong Waybill call in that variant. */
  guess?: Step | undefined;
  /** The first attempt of an agent with the lean skill, if the skill's rules do not give the id. */
  hunch?: Step | undefined;
  /** How many writes the task asks for; 0 if the write must be refused. */
  writes?: number | undefined;
  /** How often each mutation may be applied, by GitHub's name for it. */
  mutations?: Record<string, number> | undefined;
  /** Mutations that may be repeated, as long as nothing changes. */
  harmless?: string[] | undefined;
  /** The requests that the fault may hit (default: the first request, or the first write). */
  fault?: FaultPoint[] | undefined;
  /**
   * The call that checks for a write with unknown outcome, if Waybill's answer does not name one.
   */
  look?: Step | undefined;
  /** JMESPath over the envelope of `look`: the created object, or null. */
  seen?: string | undefined;
  /** The other modes. A string says why a mode cannot do the task. */
  gh: Commands | string;
  graphql: Documents | string;
  github_mcp: ToolUses | string;
  grep: Commands | string;
}
