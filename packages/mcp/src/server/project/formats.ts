/** The tool formats of model providers. */
export const TOOL_FORMATS = ["anthropic", "openai", "gemini"] as const;
export type ToolFormat = (typeof TOOL_FORMATS)[number];

const CLIENTS: readonly (readonly [RegExp, ToolFormat])[] = [
  [/^claude|^anthropic/iu, "anthropic"],
  [/^codex|^openai|^chatgpt/iu, "openai"],
  [/^gemini/iu, "gemini"],
];

/**
 * The formats that the tools for a client must satisfy. Few clients use only one provider. An
 * editor may use any model, so its tools satisfy all formats.
 */
export function formatsFor(clientName: string | undefined): readonly ToolFormat[] {
  const known = CLIENTS.find(([pattern]) => pattern.test(clientName ?? ""));
  return known === undefined ? TOOL_FORMATS : [known[1]];
}
