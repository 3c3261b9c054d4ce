import { defineOperation, localEnvelope, successResult } from "@waybill/core";
import type { AnswerFacts, Operation, OperationContext } from "@waybill/core";
import { GRAPH_TOOLS, fitAnswer, formatCursor, offsetOf } from "../query/index.ts";
import type { Answer, FollowUp, GraphToolName, GraphView, Page } from "../query/index.ts";
import { parseRules } from "../rules/index.ts";
import { annotationsTool } from "./annotations-tool.ts";
import type { AnnotationsInput } from "./annotations-tool.ts";
import { INPUTS } from "./inputs.ts";
import { QUESTIONS } from "./questions.ts";
import type { GraphWorkspace, IndexState } from "./workspace.ts";

type ToolInput = Readonly<Record<string, unknown>> & { readonly maxTokens?: number };

/** The text in which an answer will be sent, so that its tokens can be counted. */
export type Rendering = (tool: GraphToolName, data: object, facts: AnswerFacts) => string;

const ANNOTATIONS = {
  description: "What people know of the code that it does not show: list, add, remove",
  tokens: 1_000,
  symbols: "none",
} as const;

export function describeTool(tool: GraphToolName): string {
  return tool === "annotations" ? ANNOTATIONS.description : QUESTIONS[tool].description;
}

/** As `execute` sends it. */
const resultText: Rendering = (tool, data, facts) =>
  JSON.stringify(
    successResult(data, {
      capability_id: `graph.${tool}`,
      route_used: "local",
      reason: "DEFAULT_POLICY",
      ...facts,
    }),
  );

function factsOf(tool: GraphToolName, input: ToolInput, answer: Answer, page: Page): AnswerFacts {
  const { end, hasMore, total, truncated } = page;
  const next = (answer.next ?? []).map(({ tool: other, args, reason }: FollowUp) => ({
    capability_id: `graph.${other}`,
    params: args,
    reason,
  }));
  return {
    ...(answer.limit > 0 && {
      pagination: {
        has_next_page: hasMore,
        end_cursor: hasMore ? formatCursor(tool, input, end) : null,
        total,
      },
    }),
    truncated,
    ...(answer.limits !== undefined && { limits: answer.limits }),
    ...(next.length > 0 && !page.isBare && { next: next.slice(0, 3) }),
  };
}

async function ask(
  view: GraphView,
  tool: GraphToolName,
  input: ToolInput,
  signal: AbortSignal,
): Promise<Answer> {
  if (tool === "annotations") {
    return annotationsTool(view, input as unknown as AnnotationsInput);
  }
  if (tool === "layers" && input["rules"] !== undefined) {
    await parseRules(input["rules"], "rules", view.graph.info.exotic);
  }
  return QUESTIONS[tool].ask(view, input as never, signal);
}

/** An answer that is not as of now, or not complete yet, says so. */
function withState(result: object, state: IndexState | undefined): object {
  return state === undefined ? result : { ...result, index: state };
}

/** One question from its input to the page of its answer that fits. */
async function answerQuestion(
  workspace: GraphWorkspace,
  tool: GraphToolName,
  input: ToolInput,
  rendering: Rendering,
  context: OperationContext,
): Promise<{ data: object; facts: AnswerFacts }> {
  const offset = offsetOf(tool, input);
  const { tokens, symbols } = tool === "annotations" ? ANNOTATIONS : QUESTIONS[tool];
  const view = await workspace.view(symbols, context.signal);
  const answer = await ask(view, tool, input, context.signal);
  const state = await workspace.state(symbols, view);
  const text = (page: Page): string =>
    rendering(tool, withState(page.result, state), factsOf(tool, input, answer, page));
  const page = fitAnswer(answer, offset, input.maxTokens ?? tokens, text);
  const result = answer.finish?.(page.result, text(page)) ?? page.result;
  return { data: withState(result, state), facts: factsOf(tool, input, answer, page) };
}

/** Every tool as an operation `graph.<tool>`. */
export function graphOperations(
  workspace: GraphWorkspace,
  rendering: Rendering = resultText,
): Operation[] {
  return GRAPH_TOOLS.map((tool) =>
    defineOperation({
      id: `graph.${tool}`,
      description: describeTool(tool),
      effect: tool === "annotations" ? "write" : "read",
      input: INPUTS[tool],
      output: { type: "object" },
      async handler(input, context) {
        const asked = input as ToolInput;
        const { data, facts } = await answerQuestion(workspace, tool, asked, rendering, context);
        return localEnvelope(data, `graph.${tool}`, facts);
      },
    }),
  );
}
