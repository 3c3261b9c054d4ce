import { explainText } from "@waybill/core/protocol";
import type { ChainOptions, ExecuteOptions } from "@waybill/core";
import { isInputRequiredResult } from "@modelcontextprotocol/server";
import type { Tool } from "@modelcontextprotocol/server";
import { answersFor, failureAnswer, textAnswer, withBlocks } from "../answers.ts";
import type { Answers } from "../answers.ts";
import { chainWithoutApprovals, runApproved } from "../approval.ts";
import type { Media } from "../media.ts";
import type { ServedTool, ToolAnswer, ToolCall } from "../surface.ts";
import { assertNames } from "./arguments.ts";
import { BRIEF_EXECUTE, CHAIN, EXECUTE, EXPLAIN, LIST_CAPABILITIES } from "./definitions.ts";
import { takeEvents } from "./take-events.ts";
import { idIn, listText, optionsIn, paramsIn, readableOptions, stepsIn } from "./four-inputs.ts";

type Arguments = Readonly<Record<string, unknown>>;
type Run = (args: Arguments, call: ToolCall) => Promise<ToolAnswer>;

/** An error before the call has the same envelope as a failed call. */
function served(definition: Tool, answers: Answers, run: Run): ServedTool {
  const names = Object.keys(definition.inputSchema.properties ?? {});
  return {
    definition,
    async call(args, call) {
      const id = args["capability_id"];
      try {
        assertNames(definition.name, args, names);
        return await run(args, call);
      } catch (thrown) {
        const asked = answersFor(answers, readableOptions(args));
        return failureAnswer(asked, thrown, typeof id === "string" ? id : "");
      }
    },
  };
}

function briefOption({ isBrief }: Answers): { readonly brief?: true } {
  return isBrief ? { brief: true } : {};
}

function executeTool(maxTokens: number, answers: Answers, media: Media): ServedTool {
  const definition = answers.isBrief ? BRIEF_EXECUTE : EXECUTE;
  return served(definition, answers, async (args, call) => {
    const capability_id = idIn(args);
    const params = paramsIn(args);
    const own: ExecuteOptions = { max_tokens: maxTokens, ...briefOption(answers) };
    const options = optionsIn(args, own, { signal: call.signal });
    const answer = await runApproved(
      {
        capability_id,
        params,
        run: async (more) => {
          const asked = { ...options, ...more };
          const called = await call.waybill.execute(capability_id, params, asked);
          return takeEvents(called, { capability_id, params }, asked, call);
        },
      },
      call,
    );
    if (isInputRequiredResult(answer)) return answer;
    const told = answersFor(answers, options).result(answer);
    return withBlocks(told, await media.blocks(answer, call.context));
  });
}

function explainTool(answers: Answers): ServedTool {
  return served(EXPLAIN, answers, async (args, { waybill }) =>
    textAnswer(explainText(await waybill.explain(idIn(args)))),
  );
}

function listTool(maxTokens: number, answers: Answers): ServedTool {
  return served(LIST_CAPABILITIES, answers, async (args, { waybill }) => {
    return textAnswer(await listText(waybill, args, maxTokens, answers.isBrief));
  });
}

function chainTool(maxTokens: number, answers: Answers): ServedTool {
  return served(CHAIN, answers, async (args, call) => {
    const own: ChainOptions = { max_tokens: maxTokens, ...briefOption(answers) };
    const options = optionsIn(args, own, { signal: call.signal });
    const chained = await call.waybill.chain(stepsIn(args), options);
    return answersFor(answers, options).chain(chainWithoutApprovals(chained, call));
  });
}

/** The four tools that every agent needs, in this order. */
export function fourTools(maxTokens: number, answers: Answers, media: Media): ServedTool[] {
  return [
    executeTool(maxTokens, answers, media),
    explainTool(answers),
    listTool(maxTokens, answers),
    chainTool(maxTokens, answers),
  ];
}
