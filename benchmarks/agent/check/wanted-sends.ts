import { callLine, chainLine, graphLine } from "../modes/command-door.ts";
import { axiGap } from "../modes/gh-axi.ts";
import { helpPages } from "../modes/gh-help-pages.ts";
import { ghxGap } from "../modes/ghx.ts";
import { chainCall, executeCall, graphCall } from "../modes/mcp-door.ts";
import { unreadSlices } from "../modes/schema-slices.ts";
import { getGuess } from "../scenario/guess.ts";
import type { Mode, Params, Scenario, Step, ToolUse, Trajectory } from "../types.ts";

/** Everything that an agent sends according to a scenario's file. */
export interface WantedSends {
  /** Calls that look up how to call; absent if that depends on the skill. */
  readonly discover?: readonly string[];
  /** Calls that do the task. Depending on the answers, more may follow. */
  readonly calls: readonly string[];
  readonly isAll: boolean;
  /** The first attempt in the variant `guess`. */
  readonly guess: string | undefined;
}

interface Door {
  readonly one: (step: Step) => string;
  readonly many: (steps: readonly Step[]) => string;
  readonly graph: (tool: string, args: Params) => string;
}

const DOORS: Readonly<Record<"mcp" | "command", Door>> = {
  mcp: { one: executeCall, many: chainCall, graph: graphCall },
  command: { one: (step) => callLine(step), many: chainLine, graph: graphLine },
};

function byDoor(scenario: Scenario, { one, many, graph }: Door): WantedSends {
  const { steps, kind } = scenario;
  if (kind === "bulk") return ANY_SENDS;
  const guess = getGuess(scenario);
  const ask = ({ capability, params }: Step): string =>
    graph(capability.replace("graph.", ""), params);
  const calls = kind === "chain" ? [many(steps)] : steps.map(kind === "code" ? ask : one);
  return { calls, isAll: false, guess: guess && one(guess) };
}

/** The mode derives its calls from the lines of `gh` or from the steps by a rule. */
const ANY_SENDS: WantedSends = { calls: [], isAll: false, guess: undefined };
const REWORDED: readonly Mode[] = ["gh-memory", "gh-current"];

/** Programs depend on the skill. Their text is in the modes, not in the scenario. */
function wantedProgram({ kind }: Scenario): WantedSends | undefined {
  return kind === "code" ? undefined : ANY_SENDS;
}

function toolText({ tool, args }: ToolUse): string {
  return JSON.stringify({ name: tool, arguments: args });
}

/** Undefined if the mode cannot play the scenario. */
export function wantedSends(scenario: Scenario, mode: Mode): WantedSends | undefined {
  const { gh, graphql, github_mcp: tools, grep } = scenario;
  if (mode.endsWith("-code")) return wantedProgram(scenario);
  if (mode.startsWith("mcp-")) return byDoor(scenario, DOORS.mcp);
  if (mode.startsWith("command-")) return byDoor(scenario, DOORS.command);
  if (mode === "gh-axi") return axiGap(scenario) === undefined ? ANY_SENDS : undefined;
  if (mode === "ghx") return ghxGap(scenario) === undefined ? ANY_SENDS : undefined;
  if (mode.startsWith("gh-")) {
    if (typeof gh === "string") return undefined;
    if (REWORDED.includes(mode)) return ANY_SENDS;
    const discover = mode === "gh-help" ? helpPages(gh.run) : [];
    return { discover, calls: gh.run, isAll: true, guess: gh.guess };
  }
  if (mode.startsWith("graphql")) {
    if (typeof graphql === "string") return undefined;
    const reading = mode === "graphql" ? "types" : "fields";
    const discover = unreadSlices(graphql.run, reading).map(([name]) => name);
    return { discover, calls: graphql.run, isAll: true, guess: graphql.guess };
  }
  if (mode.startsWith("github-mcp")) {
    if (typeof tools === "string") return undefined;
    const isDeferred = mode === "github-mcp-deferred";
    return {
      ...(isDeferred ? {} : { discover: [] }),
      calls: tools.run.map(toolText),
      isAll: true,
      guess: undefined,
    };
  }
  if (typeof grep === "string") return undefined;
  return { discover: [], calls: grep.run, isAll: true, guess: undefined };
}

/** Whether a text matches the expected one, except for placeholders and output options. */
function isSent(wanted: string, sent: string | undefined): boolean {
  const parts = wanted.split(/\$(?:LAST|CURSOR|O?ID\d)/);
  const escaped = parts.map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`));
  return new RegExp(`^${escaped.join("[^]*")}$`).test(sent?.replace(/ --brief$/, "") ?? "");
}

function getSends({ turns }: Trajectory, purpose: "discover" | "call"): string[] {
  return turns.filter((each) => each.purpose === purpose).map(({ send }) => send.text ?? "");
}

/** Whether a recorded play sent what the scenario says. */
export function sentAsWanted(play: Trajectory, wanted: WantedSends): boolean {
  if (play.variant === "guess") {
    return play.turns.some(({ send }) => isSent(wanted.guess ?? "", send.text));
  }
  const [looked, called] = [getSends(play, "discover"), getSends(play, "call")];
  const { discover = looked, calls } = wanted;
  // After a fault or a wrong guess, more calls follow.
  const isPlain = play.variant === "plain";
  return (
    discover.every((name, index) => looked[index] === name) &&
    calls.every((call, index) => isSent(call, called[index])) &&
    (!isPlain || looked.length === discover.length) &&
    (!isPlain || !wanted.isAll || called.length === calls.length)
  );
}
