import { isRecord } from "@waybill/core/schema";
import type { Conversation, Exchange, Reply } from "../conversation.ts";
import { ShapeError, countIn, stringIn, withPath } from "./format.ts";
import type { Format } from "./format.ts";

const KIND = "a message of Anthropic";
/** The limit of one answer. This format requires a number. */
const MAX_OUTPUT = 4_096;

function getMessages({ reply, answers }: Exchange): unknown[] {
  const results = answers.map(({ id, text, isError }) => ({
    type: "tool_result",
    tool_use_id: id,
    content: text,
    ...(isError && { is_error: true }),
  }));
  return [reply.echo, { role: "user", content: results }];
}

function anthropicBody(model: string, { system, task, tools, exchanges }: Conversation): unknown {
  const messages = [{ role: "user", content: task }, ...exchanges.flatMap(getMessages)];
  return { model, max_tokens: MAX_OUTPUT, system, messages, tools };
}

function blocksIn(body: unknown): Record<string, unknown>[] {
  const content = isRecord(body) ? body["content"] : undefined;
  if (Array.isArray(content) && content.every(isRecord)) return content;
  throw new ShapeError(`it is not ${KIND}: content is not a list of blocks`);
}

function inputCount(usage: Readonly<Record<string, unknown>>): number {
  const names = ["input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens"];
  return names.reduce((sum, name) => sum + countIn(usage[name]), 0);
}

function readAnthropicReply(body: unknown): Reply {
  const blocks = blocksIn(body);
  const usage = isRecord(body) && isRecord(body["usage"]) ? body["usage"] : {};
  const ofType = (type: string) => blocks.filter((block) => block["type"] === type);
  return {
    text: ofType("text")
      .map((block) => stringIn(block["text"], "a block of text"))
      .join("\n"),
    calls: ofType("tool_use").map((block) => ({
      id: stringIn(block["id"], "the id of a tool call"),
      name: stringIn(block["name"], "the name of a tool call"),
      input: block["input"],
    })),
    usage: { input: inputCount(usage), output: countIn(usage["output_tokens"]) },
    // Thinking blocks must be sent back unchanged.
    echo: { role: "assistant", content: blocks },
  };
}

export const anthropic: Format = {
  name: "anthropic",
  url: (base) => withPath(base, /\/v1\/?$/u.test(base.pathname) ? "/messages" : "/v1/messages"),
  headers: (key) => ({
    "anthropic-version": "2023-06-01",
    ...(key !== undefined && { "x-api-key": key }),
  }),
  body: anthropicBody,
  read: readAnthropicReply,
};
