import type {
  GetPromptResult,
  Prompt,
  ReadResourceResult,
  Resource,
  ResourceTemplateType,
} from "@modelcontextprotocol/client";

/** Resources and prompts that a server lists besides its tools. */
export interface OfferList {
  readonly resources: readonly Resource[];
  readonly templates: readonly ResourceTemplateType[];
  readonly prompts: readonly Prompt[];
}

/** Resources and prompts of another MCP server, which our own clients get as well. */
export interface McpOffers {
  /** Name of the source. */
  readonly source: string;
  /** Remembered between runs, so that the server need not be started to be listed. */
  list(): Promise<OfferList>;
  read(uri: string): Promise<ReadResourceResult>;
  prompt(name: string, args: Readonly<Record<string, string>>): Promise<GetPromptResult>;
  /** Calls back when its tools, resources or prompts have changed. Returns how to stop. */
  onChange(listener: () => void): () => void;
}
