import {
  CallError,
  defineOperation,
  errorFromUnknown,
  isCallError,
  localEnvelope,
} from "@waybill/core";
import { failureResult, loadTokenList, successResult } from "@waybill/core/protocol";
import type { Operation, OperationContext } from "@waybill/core";
import type { AnswerMeta } from "@waybill/core/protocol";
import {
  GRAPH_TOOLS,
  capabilityId,
  fitAnswer,
  formatCursor,
  cursorOffset,
  scopeMask,
} from "../query/index.ts";
import type {
  Answer,
  FollowUp,
  GraphToolName,
  GraphView,
  Page,
  RenameInput,
} from "../query/index.ts";
import { parseRules } from "../rules/index.ts";
import { applyRename } from "./apply-rename.ts";
import { annotationsTool } from "./annotations-tool.ts";
import type { AnnotationsInput } from "./annotations-tool.ts";
import { fitError } from "./fit-error.ts";
import type { ErrorText } from "./fit-error.ts";
import { INPUTS } from "./inputs.ts";
import { QUESTIONS } from "./questions.ts";
import type { Question, WritingTool } from "./questions.ts";
import type { GraphWorkspace, IndexState, SymbolNeed } from "./workspace.ts";

type ToolInput = Readonly<Record<string, unknown>> & {
  readonly maxTokens?: number;
  readonly scope?: string;
};

/** The text of an answer as it will be sent, to count its tokens. */
export type Rendering = (
  tool: GraphToolName,
  data: object,
  facts: AnswerMeta,
  maxTokens: number,
) => string;

/** The tools that change files. The write is their last step. */
const WRITES: Readonly<Record<WritingTool, Omit<Question, "ask">>> = {
  annotations: {
    description: "List, add or remove notes that complete the code graph",
    tokens: 1_000,
    symbols: "none",
  },
  rename_apply: {
    description: "Renames a symbol in all files, or refuses if a use may be missing",
    tokens: 1_000,
    symbols: "waits",
  },
};

function isWriting(tool: GraphToolName): tool is WritingTool {
  return Object.hasOwn(WRITES, tool);
}

function toolSettings(tool: GraphToolName): Omit<Question, "ask"> {
  return isWriting(tool) ? WRITES[tool] : QUESTIONS[tool];
}

/** The most tokens that an answer of the tool takes. */
export function tokenLimit(tool: GraphToolName, input: Readonly<Record<string, unknown>>): number {
  return askedTokens(input) ?? toolSettings(tool).tokens;
}

/** The token limit in the inputs. On a command line it is text. */
export function askedTokens({ maxTokens }: Readonly<Record<string, unknown>>): number | undefined {
  const asked = typeof maxTokens === "string" ? Number(maxTokens) : maxTokens;
  return typeof asked === "number" && asked > 0 ? asked : undefined;
}

export function describeTool(tool: GraphToolName): string {
  return toolSettings(tool).description;
}

const ROUTE = { route_used: "local", reason: "DEFAULT_POLICY" } as const;

/** The failed answer of `execute`, within the token limit. */
const FAILED = {
  ...ROUTE,
  request_id: "A1b2C3d4E5",
  attempts: [
    { route: "local", duration_ms: 999_999, status: "error", error_code: "ADAPTER_UNSUPPORTED" },
  ],
} as const;

/** The text of the answer, as `execute` sends it. */
const resultText: Rendering = (tool, data, facts) =>
  JSON.stringify(
    successResult(data, {
      capability_id: capabilityId(tool),
      ...ROUTE,
      ...facts,
    }),
  );

function answerInfo(tool: GraphToolName, input: ToolInput, answer: Answer, page: Page): AnswerMeta {
  const { hasMore, total, truncated, next: start } = page;
  const next = (answer.next ?? []).map(({ tool: other, args, reason }: FollowUp) => ({
    capability_id: capabilityId(other),
    params: args,
    reason,
  }));
  return {
    ...(answer.limit > 0 && {
      pagination: {
        has_next_page: hasMore,
        end_cursor: start === undefined ? null : formatCursor(tool, input, start),
        total,
      },
    }),
    truncated,
    ...(answer.limits !== undefined && { limits: answer.limits }),
    ...(next.length > 0 && !page.isBare && { next: next.slice(0, 3) }),
  };
}

/** The write is the last step, so an error before it means that nothing was written. */
async function beforeWriting<T>(tool: GraphToolName, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isWriting(tool) || !isCallError(error)) throw error;
    throw errorFromUnknown(error).with({ outcome: "not_applied" });
  }
}

/** An annotation may name an issue, which can be checked only when symbols are complete. */
function symbolsFor(tool: GraphToolName, { issueId }: ToolInput): SymbolNeed {
  return tool === "annotations" && issueId !== undefined ? "waits" : toolSettings(tool).symbols;
}

async function askQuestion(
  view: GraphView,
  tool: GraphToolName,
  input: ToolInput,
  signal: AbortSignal,
): Promise<Answer> {
  // Checks the scope for tools that do not use it too, so that a typing mistake is reported.
  // `changes` checks it itself, because it may name deleted files.
  if (tool !== "changes") scopeMask(view, input.scope);
  if (tool === "annotations") {
    return annotationsTool(view, input as unknown as AnnotationsInput);
  }
  if (tool === "rename_apply") return applyRename(view, input as unknown as RenameInput);
  if (tool === "layers" && input["rules"] !== undefined) {
    await parseRules(input["rules"], "rules", view.graph.info.exotic);
  }
  return QUESTIONS[tool].ask(view, input as never, signal);
}

/** Adds a note if the answer is outdated or incomplete. */
function withState(result: object, state: IndexState | undefined): object {
  return state === undefined ? result : { ...result, index: state };
}

/** Answers one question, cut to a page that fits the token limit. */
async function answerQuestion(
  workspace: GraphWorkspace,
  tool: GraphToolName,
  input: ToolInput,
  rendering: Rendering,
  context: OperationContext,
): Promise<{ data: object; facts: AnswerMeta }> {
  const offset = cursorOffset(tool, input);
  const tokens = tokenLimit(tool, input);
  const symbols = symbolsFor(tool, input);
  const { view, answer } = await beforeWriting(tool, async () => {
    const seen = await workspace.view(symbols, context.signal);
    return { view: seen, answer: await askQuestion(seen, tool, input, context.signal) };
  });
  const state = await workspace.state(symbols, view);
  const text = (page: Page): string =>
    rendering(tool, withState(page.result, state), answerInfo(tool, input, answer, page), tokens);
  const page = fitAnswer(answer, offset, tokens, text);
  const result = answer.finish?.(page.result) ?? page.result;
  return { data: withState(result, state), facts: answerInfo(tool, input, answer, page) };
}

/** Shortens an error to the token limit of the answer. */
function fittedError(tool: GraphToolName, error: unknown, maxTokens: number | undefined): unknown {
  if (!isCallError(error)) return error;
  const { code, message, details } = error;
  const frame = (shown: ErrorText): string => {
    const result = { code: "UNKNOWN" as const, retryable: false, ...shown };
    return JSON.stringify(failureResult(result, { capability_id: capabilityId(tool), ...FAILED }));
  };
  const shown = fitError({ message, details }, maxTokens, frame);
  return new CallError(code, shown.message, shown.details, { cause: error });
}

/** Describes every tool as an operation with the id `graph.<tool>`. */
export function graphOperations(
  workspace: GraphWorkspace,
  rendering: Rendering = resultText,
): Operation[] {
  return GRAPH_TOOLS.map((tool) =>
    defineOperation({
      id: capabilityId(tool),
      description: describeTool(tool),
      effect: isWriting(tool) ? "write" : "read",
      input: INPUTS[tool],
      output: { type: "object" },
      async handler(input, context) {
        const asked = input as ToolInput;
        await loadTokenList();
        try {
          const { data, facts } = await answerQuestion(workspace, tool, asked, rendering, context);
          return localEnvelope(data, capabilityId(tool), facts);
        } catch (error) {
          throw fittedError(tool, error, asked.maxTokens);
        }
      },
    }),
  );
}
