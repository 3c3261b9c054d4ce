import { CallError, estimateTokens, explainText } from "@waybill/core";
import type { ChainOptions, ChainStep, ExecuteOptions } from "@waybill/core";
import { isInputRequiredResult } from "@modelcontextprotocol/server";
import type { Tool } from "@modelcontextprotocol/server";
import { envelopeAnswer, failureAnswer, textAnswer } from "../answers.ts";
import { chainWithoutApprovals, runApproved } from "../approval.ts";
import type { ServedTool, ToolAnswer, ToolCall } from "../surface.ts";
import { assertNames, unwrapped } from "./arguments.ts";
import { CHAIN, EXECUTE, EXPLAIN, LIST_CAPABILITIES } from "./definitions.ts";

type Arguments = Readonly<Record<string, unknown>>;
type Run = (args: Arguments, call: ToolCall) => Promise<ToolAnswer>;

/** What fails before anything is called fails in the same envelope. */
function served(definition: Tool, run: Run): ServedTool {
  const names = Object.keys(definition.inputSchema.properties ?? {});
  return {
    definition,
    async call(args, call) {
      const id = args["capability_id"];
      try {
        assertNames(definition.name, args, names);
        return await run(args, call);
      } catch (thrown) {
        return failureAnswer(thrown, typeof id === "string" ? id : "");
      }
    },
  };
}

function idIn(args: Arguments): string {
  const id = args["capability_id"];
  if (typeof id === "string") return id;
  throw new CallError("VALIDATION_ERROR", "capability_id must be a text such as issue.view", {
    issues: [{ path: "/capability_id", message: "must be a text" }],
    outcome: "not_applied",
  });
}

/** The options as they were given, which are checked where they are used, and this door's own. */
function optionsIn<Options>(args: Arguments, own: Options, last: Options): Options {
  const given = unwrapped("options", args["options"]);
  if (given === undefined || given === null) return { ...own, ...last };
  if (typeof given === "object" && !Array.isArray(given)) return { ...own, ...given, ...last };
  throw new CallError("VALIDATION_ERROR", "options must be an object", { outcome: "not_applied" });
}

function executeTool(maxTokens: number): ServedTool {
  return served(EXECUTE, async (args, call) => {
    const capability_id = idIn(args);
    const params = unwrapped("params", args["params"]);
    const own: ExecuteOptions = { max_tokens: maxTokens };
    const options = optionsIn(args, own, { signal: call.signal });
    const answer = await runApproved(
      {
        capability_id,
        params,
        run: (approve) =>
          call.waybill.execute(
            capability_id,
            params,
            approve === undefined ? options : { ...options, approve },
          ),
      },
      call,
    );
    return isInputRequiredResult(answer) ? answer : envelopeAnswer(answer);
  });
}

function explainTool(): ServedTool {
  return served(EXPLAIN, async (args, { waybill }) =>
    textAnswer(explainText(await waybill.explain(idIn(args)))),
  );
}

/** As many lines as fit, and how many do not. */
function linesWithin(lines: readonly string[], maxTokens: number): string {
  let tokens = 20;
  const fitting = lines.findIndex((line) => (tokens += estimateTokens(line) + 1) > maxTokens);
  if (fitting < 0) return lines.join("\n");
  const rest = lines.length - fitting;
  return [...lines.slice(0, fitting), `${rest} more: narrow with query or domain`].join("\n");
}

function listTool(maxTokens: number): ServedTool {
  return served(LIST_CAPABILITIES, async (args, { waybill }) => {
    const items = await waybill.list_capabilities(args);
    const lines = items.map(({ capability_id, description }) => `${capability_id} ${description}`);
    return textAnswer(linesWithin(lines, maxTokens) || "Nothing matches");
  });
}

function chainTool(maxTokens: number): ServedTool {
  return served(CHAIN, async (args, call) => {
    const own: ChainOptions = { max_tokens: maxTokens };
    const options = optionsIn(args, own, { signal: call.signal });
    // What is no list of steps is refused where steps are read.
    const steps = unwrapped("steps", args["steps"]) as readonly ChainStep[];
    const result = chainWithoutApprovals(await call.waybill.chain(steps, options), call);
    return textAnswer(JSON.stringify(result), result.status !== "success");
  });
}

/** All that an agent needs, in this order. */
export function fourTools(maxTokens: number): ServedTool[] {
  return [executeTool(maxTokens), explainTool(), listTool(maxTokens), chainTool(maxTokens)];
}
