import { isRecord } from "@waybill/core/schema";
import type { Conversation, Exchange, Reply, ToolCall } from "../conversation.ts";
import { ShapeError, countIn, stringIn, withPath } from "./format.ts";
import type { Format } from "./format.ts";

const KIND = "a chat completion of OpenAI";

function getMessages({ reply, answers }: Exchange): unknown[] {
  const tools = answers.map(({ id, text }) => ({ role: "tool", tool_call_id: id, content: text }));
  return [reply.echo, ...tools];
}

function openaiBody(model: string, { system, task, tools, exchanges }: Conversation): unknown {
  return {
    model,
    messages: [
      { role: "system", content: system },
      { role: "user", content: task },
      ...exchanges.flatMap(getMessages),
    ],
    tools,
  };
}

function callIn(value: unknown): ToolCall {
  const call = isRecord(value) && isRecord(value["function"]) ? value["function"] : undefined;
  if (!isRecord(value) || call === undefined) throw new ShapeError("a tool call has no function");
  return {
    id: stringIn(value["id"], "the id of a tool call"),
    name: stringIn(call["name"], "the name of a tool call"),
    input: call["arguments"],
  };
}

function messageIn(body: unknown): Record<string, unknown> {
  const choices = isRecord(body) ? body["choices"] : undefined;
  const first: unknown = Array.isArray(choices) ? choices[0] : undefined;
  const message = isRecord(first) ? first["message"] : undefined;
  if (isRecord(message)) return message;
  throw new ShapeError(`it is not ${KIND}: choices[0].message is missing`);
}

/** Joins the text, because some endpoints split it into parts. */
function contentIn(content: unknown): string {
  if (!Array.isArray(content)) return stringIn(content ?? "", "the message's content");
  const parts = content.filter(isRecord).filter((part) => part["type"] === "text");
  return parts.map((part) => stringIn(part["text"], "a part of text")).join("");
}

function readOpenaiReply(body: unknown): Reply {
  const message = messageIn(body);
  const usage = isRecord(body) && isRecord(body["usage"]) ? body["usage"] : {};
  const content = contentIn(message["content"]);
  const calls = message["tool_calls"] ?? [];
  if (!Array.isArray(calls)) throw new ShapeError(`it is not ${KIND}: tool_calls is not a list`);
  return {
    text: content,
    calls: calls.map(callIn),
    usage: { input: countIn(usage["prompt_tokens"]), output: countIn(usage["completion_tokens"]) },
    // Only the fields that every endpoint accepts: some refuse other fields of their own answers.
    echo: { role: "assistant", content, ...(calls.length > 0 && { tool_calls: calls }) },
  };
}

export const openai: Format = {
  name: "openai",
  url: (base) =>
    withPath(base, base.pathname === "/" ? "/v1/chat/completions" : "/chat/completions"),
  headers: (key) => (key === undefined ? {} : { authorization: `Bearer ${key}` }),
  body: openaiBody,
  read: readOpenaiReply,
};
