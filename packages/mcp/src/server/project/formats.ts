/** The forms in which model providers take tools. */
export const TOOL_FORMATS = ["anthropic", "openai", "gemini"] as const;
export type ToolFormat = (typeof TOOL_FORMATS)[number];

const CLIENTS: readonly (readonly [RegExp, ToolFormat])[] = [
  [/^claude|^anthropic/iu, "anthropic"],
  [/^codex|^openai|^chatgpt/iu, "openai"],
  [/^gemini/iu, "gemini"],
];

/**
 * The forms that must hold for a client. Only some clients belong to one provider; behind an editor
 * there may be any model, so what is sent to it holds for all.
 */
export function formatsFor(clientName: string | undefined): readonly ToolFormat[] {
  const known = CLIENTS.find(([pattern]) => pattern.test(clientName ?? ""));
  return known === undefined ? TOOL_FORMATS : [known[1]];
}
