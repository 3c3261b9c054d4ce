import { loadChecker, normalise, parseExactJson } from "@waybill/core/schema";
import type { JsonSchema, MCPContentBlock } from "@waybill/core";
import type { CompiledSchema, ExactJson } from "@waybill/core/schema";

function parseTextBlock(text: string): ExactJson | undefined {
  try {
    return parseExactJson(text);
  } catch {
    return undefined;
  }
}

/** Finds the declared output of a tool in the text that the tool sent instead. */
export class TextDecoding {
  readonly #schema: JsonSchema;
  #compiled: Promise<CompiledSchema | undefined> | undefined;

  constructor(schema: JsonSchema) {
    this.#schema = schema;
  }

  /**
   * Decodes text as JSON only if the schema accepts the result, because other text may look like
   * JSON.
   */
  async decode(blocks: readonly MCPContentBlock[]): Promise<ExactJson | undefined> {
    const [block] = blocks;
    if (blocks.length !== 1 || block?.type !== "text") return undefined;
    const found = parseTextBlock(block.text);
    if (found === undefined) return undefined;
    this.#compiled ??= this.#compile();
    const value = this.#asNumbers(found);
    return (await this.#compiled)?.check(value) === true ? found : undefined;
  }

  #asNumbers({ value, integers }: ExactJson): unknown {
    if (integers.length === 0) return value;
    return normalise(this.#schema, value, { digits: "number" }).value;
  }

  /** If the schema cannot be compiled, it accepts nothing. */
  async #compile(): Promise<CompiledSchema | undefined> {
    try {
      return (await loadChecker(this.#schema)).compile(this.#schema);
    } catch {
      return undefined;
    }
  }
}
