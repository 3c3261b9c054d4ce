import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import type { Exchange, Reply, ToolAnswer } from "./conversation.ts";
import type { Endpoint } from "./endpoint.ts";
import type { Usage } from "./played.ts";
import type { Toolbox } from "./toolbox.ts";

export interface PlayLimits {
  readonly turns: number;
  readonly ms: number;
  /** Tokens as the endpoint counts them, over all turns. */
  readonly tokens: number;
}

/** The result of one task: the last answer, and its cost by both counts. */
export interface PlayedTask {
  readonly answer: string;
  readonly calls: number;
  readonly tokens: { readonly definitions: number; readonly sent: number; readonly read: number };
  readonly usage: Usage;
  /** Why there is no answer. */
  readonly stopped?: string;
}

const MAX_CALLS_AT_ONCE = 20;
const RULES =
  "Do the task with your tools, without asking back. Then answer shortly, naming every fact asked for exactly as the tools gave it. If it cannot be done, say so and why.";

function sentBy({ text, calls }: Reply): string {
  const written = calls.map(({ name, input }) => {
    return `${name}(${typeof input === "string" ? input : JSON.stringify(input)})`;
  });
  return [text, ...written].join("\n");
}

/** Plays one task. Throws if the endpoint fails; everything else is in the result. */
export async function playTask(
  task: string,
  endpoint: Endpoint,
  toolbox: Toolbox,
  limits: PlayLimits,
): Promise<PlayedTask> {
  const system = `${RULES}\n\n${toolbox.system}`;
  const { tools } = toolbox;
  const signal = AbortSignal.timeout(limits.ms);
  const exchanges: Exchange[] = [];
  const usage = { requests: 0, input: 0, output: 0 };
  const tokens = { definitions: countTokens(system + JSON.stringify(tools)), sent: 0, read: 0 };
  let calls = 0;

  const stop = (stopped: string): PlayedTask => ({ answer: "", calls, tokens, usage, stopped });

  const answerCalls = async ({ calls: asked }: Reply): Promise<ToolAnswer[]> => {
    const answers: ToolAnswer[] = [];
    for (const { id, name, input } of asked) {
      const { text, isError } = await toolbox.run(name, input, signal);
      answers.push({ id, text, isError });
      tokens.read += countTokens(text);
      calls++;
    }
    return answers;
  };

  try {
    while (exchanges.length < limits.turns) {
      const reply = await endpoint.ask({ system, task, tools, exchanges }, signal);
      usage.requests++;
      usage.input += reply.usage.input;
      usage.output += reply.usage.output;
      tokens.sent += countTokens(sentBy(reply));
      if (reply.calls.length === 0) {
        if (reply.text.trim() === "") return stop("an empty answer");
        return { answer: reply.text, calls, tokens, usage };
      }
      if (reply.calls.length > MAX_CALLS_AT_ONCE)
        return stop(`${reply.calls.length} calls at once`);
      if (usage.input + usage.output > limits.tokens) return stop(`over ${limits.tokens} tokens`);
      exchanges.push({ reply, answers: await answerCalls(reply) });
    }
    return stop(`no answer after ${limits.turns} turns`);
  } catch (error) {
    if (signal.aborted) return stop(`no answer after ${limits.ms / 1_000} s`);
    throw error;
  }
}
