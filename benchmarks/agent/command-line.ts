import { parseArgs } from "node:util";

/** The command line of `npm run benchmark`. */
export interface CommandLine {
  /** Whether a real model plays. Its own options are read by the model command. */
  readonly isModel: boolean;
  readonly isHelp: boolean;
  readonly isQuick: boolean;
  readonly isAgentOnly: boolean;
  readonly isReport: boolean;
  /** The modes to play again (default: all). */
  readonly modes: readonly string[] | undefined;
  /** The scenarios to play again (default: all). */
  readonly scenarios: readonly string[] | undefined;
}

export const USAGE = `npm run benchmark -- [options]

Plays all scenarios by scripts, runs the suites in few rounds, and rewrites RESULTS.md.

  --quick              omits faults, runs the suites with few rounds, and only prints
  --agent-only         omits the suites
  --modes a,b          plays only these modes again, without suites
  --scenarios a,b      plays only these scenarios again, without suites
  --report             plays nothing; writes RESULTS.md from the records

With a real model, which plays with Waybill's tools and with gh:

  --model NAME         the name of the model
  --url URL            the base URL of the endpoint, such as https://api.example.com/v1
  --format openai|anthropic
  --skill lean|indexed (default: indexed)
  --scenarios a,b      only these; only a whole run is kept in RESULTS.md
  --quick              one scenario of each kind

The key is read from WAYBILL_BENCHMARK_KEY. It is sent to the endpoint and nowhere else.`;

const OPTIONS = {
  help: { type: "boolean", short: "h" },
  quick: { type: "boolean" },
  "agent-only": { type: "boolean" },
  report: { type: "boolean" },
  modes: { type: "string" },
  scenarios: { type: "string" },
} as const;

const MODEL_OPTIONS = ["model", "url", "format", "skill"];

function isModelOption(word: string): boolean {
  return MODEL_OPTIONS.some((name) => word === `--${name}` || word.startsWith(`--${name}=`));
}

function splitNames(list: string | undefined): readonly string[] | undefined {
  return list?.split(",").flatMap((name) => name.trim() || []);
}

/** Throws an error with the usage for an unknown option. */
export function readCommandLine(words: readonly string[]): CommandLine {
  const isModel = words.some(isModelOption);
  // The model command reads its own options.
  const given = isModel ? words.filter((word) => word === "--help" || word === "-h") : words;
  const { values } = parseArgs({ args: [...given], options: OPTIONS });
  return {
    isModel,
    isHelp: values.help ?? false,
    isQuick: values.quick ?? false,
    isAgentOnly: values["agent-only"] ?? false,
    isReport: values.report ?? false,
    modes: splitNames(values.modes),
    scenarios: splitNames(values.scenarios),
  };
}
