/** A tool call of the model. Some formats have the arguments as an object, some as text. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

export interface ToolAnswer {
  readonly id: string;
  readonly text: string;
  readonly isError: boolean;
}

/** One answer of the model. */
export interface Reply {
  readonly text: string;
  readonly calls: readonly ToolCall[];
  /** Tokens as the endpoint counts them. */
  readonly usage: { readonly input: number; readonly output: number };
  /** Data that the next turn must send back unchanged. */
  readonly echo: unknown;
}

/** A model's answer and the results of its tool calls. */
export interface Exchange {
  readonly reply: Reply;
  readonly answers: readonly ToolAnswer[];
}

/** Everything that a model sees. Formats differ only in how it is written. */
export interface Conversation {
  readonly system: string;
  readonly task: string;
  /** Tool definitions in the format's own form. */
  readonly tools: readonly unknown[];
  readonly exchanges: readonly Exchange[];
}
