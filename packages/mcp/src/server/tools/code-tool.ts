import { CallError } from "@waybill/core";
import { isInputRequiredResult } from "@modelcontextprotocol/server";
import { failureAnswer, textAnswer } from "../answers.ts";
import type { Answers } from "../answers.ts";
import { runApproved } from "../approval.ts";
import type { CodeDoor } from "../options.ts";
import type { ServedTool, ToolAnswer, ToolCall } from "../surface.ts";
import { assertNames } from "./arguments.ts";
import { CODE } from "./definitions.ts";
import { optionsIn } from "./four-inputs.ts";

type Arguments = Readonly<Record<string, unknown>>;

const CODE_ID = "code.run";

function programIn({ code }: Arguments): string | undefined {
  if (code === undefined || typeof code === "string") return code;
  throw new CallError("VALIDATION_ERROR", "code must be the text of a program", {
    outcome: "not_applied",
  });
}

/** The id of the authenticated caller. */
function readCaller({ context }: ToolCall): string {
  return context.http?.authInfo?.clientId ?? "";
}

async function runCode(
  door: CodeDoor,
  args: Arguments,
  call: ToolCall,
  { maxTokens, answers }: { readonly maxTokens: number; readonly answers: Answers },
): Promise<ToolAnswer> {
  const program = programIn(args);
  const own: Record<string, unknown> = { max_tokens: maxTokens };
  const options = optionsIn(args, own, { signal: call.signal });
  const answer = await runApproved(
    {
      capability_id: CODE_ID,
      params: program,
      run: (more) => door.run(call.waybill, program, { ...options, ...more }, readCaller(call)),
    },
    call,
  );
  if (isInputRequiredResult(answer)) return answer;
  return answers.isBrief ? textAnswer(door.text(answer), !answer.ok) : answers.result(answer);
}

/** The tool that runs programs. */
export function codeTool(door: CodeDoor, maxTokens: number, answers: Answers): ServedTool {
  return {
    definition: CODE,
    async call(args, call) {
      try {
        assertNames(CODE.name, args, ["code", "options"]);
        return await runCode(door, args, call, { maxTokens, answers });
      } catch (thrown) {
        return failureAnswer(answers, thrown, CODE_ID);
      }
    },
  };
}
