/** A tool call as the model wrote it: some formats give an object, some the text of one. */
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
  /** By the endpoint's own count. */
  readonly usage: { readonly input: number; readonly output: number };
  /** Data that the next turn must send back unchanged. */
  readonly echo: unknown;
}

/** A model's answer and the results of its tool calls. */
export interface Exchange {
  readonly reply: Reply;
  readonly answers: readonly ToolAnswer[];
}

/** Everything a model sees; formats differ only in how this is written. */
export interface Conversation {
  readonly system: string;
  readonly task: string;
  /** Tool definitions in the format's own form. */
  readonly tools: readonly unknown[];
  readonly exchanges: readonly Exchange[];
}
