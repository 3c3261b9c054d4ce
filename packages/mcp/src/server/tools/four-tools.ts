import { explainText } from "@waybill/core";
import type { ChainOptions, ExecuteOptions } from "@waybill/core";
import { isInputRequiredResult } from "@modelcontextprotocol/server";
import type { Tool } from "@modelcontextprotocol/server";
import { envelopeAnswer, failureAnswer, textAnswer } from "../answers.ts";
import { chainWithoutApprovals, runApproved } from "../approval.ts";
import type { ServedTool, ToolAnswer, ToolCall } from "../surface.ts";
import { assertNames } from "./arguments.ts";
import { CHAIN, EXECUTE, EXPLAIN, LIST_CAPABILITIES } from "./definitions.ts";
import { idIn, listText, optionsIn, paramsIn, stepsIn } from "./four-inputs.ts";

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

function executeTool(maxTokens: number): ServedTool {
  return served(EXECUTE, async (args, call) => {
    const capability_id = idIn(args);
    const params = paramsIn(args);
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

function listTool(maxTokens: number): ServedTool {
  return served(LIST_CAPABILITIES, async (args, { waybill }) => {
    return textAnswer(await listText(waybill, args, maxTokens));
  });
}

function chainTool(maxTokens: number): ServedTool {
  return served(CHAIN, async (args, call) => {
    const own: ChainOptions = { max_tokens: maxTokens };
    const options = optionsIn(args, own, { signal: call.signal });
    const chained = await call.waybill.chain(stepsIn(args), options);
    const result = chainWithoutApprovals(chained, call);
    return textAnswer(JSON.stringify(result), result.status !== "success");
  });
}

/** All that an agent needs, in this order. */
export function fourTools(maxTokens: number): ServedTool[] {
  return [executeTool(maxTokens), explainTool(), listTool(maxTokens), chainTool(maxTokens)];
}
