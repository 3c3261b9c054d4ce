import type { ReportFacts } from "./report/index.ts";

/** What must be known to judge the figures; it stands next to them. */
const assumptions: readonly string[] = [
  "Tokens are o200k counts of exactly what is sent and read, command lines and tool calls included. The definition of a shell tool, the task itself and the model's own words are the same everywhere and counted nowhere. That every further turn reads the whole context again is not counted either, which favours modes that take many calls.",
  "The start text is paid once a session: a tenth of it for each of ten operations. It is the skill (and over MCP the definitions of the tools, as models are shown them) for Waybill; `gh --help` for `gh` with help; the type `Repository`, through which nearly everything is reached, for GraphQL; the default toolsets, and just the one that is needed besides, for GitHub's MCP server; nothing for `gh` without help and `grep`.",
  "Waybill is called at once only if the id and every input stand in the skill or in the tools' definitions. What else is looked up counts: with the lean skill an id that its rules do not give is guessed by those rules (the refusal shows the signature) or listed, and inputs are explained. Names of outputs, to select them, count as known where they stand in the skill or are names of fields in GitHub's own schema; otherwise `explain` is called first.",
  "`gh` with help reads the overview, the page of the group, the page of each command and, where `--json` is used, its list of fields; then it does what `gh` without help does. `gh` without help is an expert: the best single command we know, with no field too many and `--jq` where that makes the answer smaller. It is Debian's `gh` 2.23.0; what it has no command for goes through `gh api`.",
  "GraphQL documents are minimal and counted without any wrapping. Of the schema are counted the fields of Query and Mutation that are used, and whole definitions, with their descriptions, of the other types on the way: a field is looked for where its type is defined.",
  "GitHub's MCP server (1.10.1) was not run. Its definitions are published counts; its answers are those of the embedded GitHub's REST API, reduced to the fields that the server hands on; fields we were not sure of are left out, which favours it. Tools whose answers are not published are listed as not playable.",
  "What differs from run to run, or is there only because the GitHub is an embedded one, is replaced before counting: request ids, durations, approvals, the estimate of tokens in `meta.cost`, times of graph answers, places on this machine, and the warning that the embedded GitHub answered.",
  "Under faults a read meets one 502, and the first write is carried out and its answer lost. Every mode is played by a competent agent: it looks before it writes again. A write that its card calls idempotent (closing, labelling, resolving) Waybill sends again by itself; GitHub's state is the same afterwards, so it is no double application.",
  "Passed means: the answer agrees with the embedded GitHub's own store or with TypeScript's language service, and for Waybill also that schema, route, pages, error code and limits of the scenario hold. What `grep` prints is counted and not judged.",
  "Not yet even, and in our favour: a page of help and a type of the schema count in every scenario that needs them, though a session of ten operations would read each once. By an estimate, with each read once, `gh` with help would cost about half of what is shown, Waybill would save about 45 % (MCP) and 54 % (command) against it, and against GraphQL by MCP a little less than 90 %.",
  "Also in our favour: questions about code and chains by command do not pay for inputs and words (`$from`, `select`) that stand only in a definition or a page of help that they did not read; `release-assets` goes by `gh api`, though `gh release view` is shorter, so that a fault meets the same request each time.",
  "“Applied twice” says less than it seems: repeats are excused up to the number of steps whose card says idempotent, whichever of them was repeated, and whether to send again is decided by the embedded GitHub's own counter. Faults do not meet every mode alike, and some meet none.",
  "The figures were put together from one whole play and replays of single scenarios; two whole plays have not been compared since.",
  "Every trajectory is in `benchmarks/agent/trajectories`, one file a mode.",
];

const AGAINST_HELP =
  "one operation by `gh` with help is some 1,200 tokens on average, of which a tenth leaves no room for what Waybill's answers always carry: about 35 tokens of envelope (`ok`, `error`, capability, route, reason), 16 of `meta.pagination` on a list that has no more, 8 of `request_id` on a write, and the share of the skill (27 lean, 108 indexed; over MCP 37 more for the tools). A list over three pages costs nearly the same everywhere, for its items are the same.";

const AGAINST_EXPERT =
  "an expert's `gh` prints an address or nothing, and none of its help is counted. A chain is sent as JSON with the names of its inputs and answered with an envelope for each step. It is one call where `gh` takes two or three, but that each further call reads the whole context again is not in these figures.";

const AGAINST_SERVER =
  "its definitions are about 1,060 tokens of each operation, a fifth of which is 210 for everything: call, envelope, answer and the share of the skill. Some single reads and writes reach that, by command more than by MCP; lists whose items are the same everywhere, failures (which carry `attempts`) and chains (an envelope for each step) do not.";

/** Why a target was missed, by its id. */
const why: Readonly<Record<string, string>> = {
  "tokens.mcp.gh-help": AGAINST_HELP,
  "tokens.command.gh-help": AGAINST_HELP,
  "tokens.mcp.github-mcp": AGAINST_SERVER,
  "tokens.command.github-mcp": AGAINST_SERVER,
  "steps.mcp.gh-known": AGAINST_EXPERT,
  "steps.command.gh-known": AGAINST_EXPERT,
};

export const facts: ReportFacts = { assumptions, why };
