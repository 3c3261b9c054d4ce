import { outsideText } from "@waybill/core/cards";
import { isRecord } from "@waybill/core/schema";
import type { JsonSchemaObject } from "@waybill/core/schema";

/** A server's hints about a tool's effect; undefined if it gives none. */
export interface ToolHints {
  readonly readOnly?: boolean;
  readonly destructive?: boolean;
  readonly idempotent?: boolean;
}

/** A tool as described by its server, as far as it can be used. */
export interface Tool {
  /** The server's own name for it. */
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchemaObject;
  readonly outputSchema: JsonSchemaObject | boolean | undefined;
  readonly hints: ToolHints;
  /** Whether the server runs this tool only as a task (protocol version 2025-11-25). */
  readonly needsTask: boolean;
}

const ANY_OBJECT: JsonSchemaObject = { type: "object" };

function getHints(annotations: unknown): ToolHints {
  const given = isRecord(annotations) ? annotations : {};
  const { readOnlyHint, destructiveHint, idempotentHint } = given;
  return {
    ...(typeof readOnlyHint === "boolean" && { readOnly: readOnlyHint }),
    ...(typeof destructiveHint === "boolean" && { destructive: destructiveHint }),
    ...(typeof idempotentHint === "boolean" && { idempotent: idempotentHint }),
  };
}

function getDescription(tool: Record<string, unknown>, name: string): string {
  const { description, title } = tool;
  const said = [description, title].find((text) => typeof text === "string" && text.trim() !== "");
  const text = outsideText(typeof said === "string" ? said : name);
  return text.trim() === "" ? "An MCP tool" : text.trim();
}

function needsTask(execution: unknown): boolean {
  return isRecord(execution) && execution["taskSupport"] === "required";
}

/** Reads one tool of a list. Undefined if it has no name. */
export function readTool(value: unknown): Tool | undefined {
  if (!isRecord(value) || typeof value["name"] !== "string") return undefined;
  const { name, inputSchema, outputSchema, annotations, execution } = value;
  const hasOutput = isRecord(outputSchema) || typeof outputSchema === "boolean";
  return {
    name,
    description: getDescription(value, name),
    inputSchema: isRecord(inputSchema) ? inputSchema : ANY_OBJECT,
    outputSchema: hasOutput ? outputSchema : undefined,
    hints: getHints(annotations),
    needsTask: needsTask(execution),
  };
}
