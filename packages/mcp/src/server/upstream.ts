import type {
  GetPromptResult,
  Prompt,
  ReadResourceResult,
  Resource,
  ResourceTemplateType,
} from "@modelcontextprotocol/server";
import type { McpOffers, OfferList } from "../relay/index.ts";

interface Listed {
  readonly offers: McpOffers;
  readonly list: OfferList;
}

function namedUpstream<T extends { readonly name: string }>(source: string, one: T): T {
  return { ...one, name: `${source}.${one.name}` };
}

/** Keeps the first of several resources with the same URI. */
function unique(resources: readonly Resource[]): Resource[] {
  return [...new Map(resources.toReversed().map((one) => [one.uri, one])).values()].toReversed();
}

/** Whether a URI may match a template: both start with the same text. */
function mayMatch({ uriTemplate }: ResourceTemplateType, uri: string): boolean {
  const start = uriTemplate.split("{", 1)[0] ?? "";
  return start !== "" && uri.startsWith(start);
}

/** Combines the resources and prompts of other MCP servers. Names begin with the source. */
export class Upstream {
  readonly #all: readonly McpOffers[];

  constructor(all: readonly McpOffers[]) {
    this.#all = all;
  }

  async resources(): Promise<Resource[]> {
    const listed = await this.#listed();
    return unique(
      listed.flatMap(({ offers, list }) =>
        list.resources.map((one) => namedUpstream(offers.source, one)),
      ),
    );
  }

  async templates(): Promise<ResourceTemplateType[]> {
    const listed = await this.#listed();
    return listed.flatMap(({ offers, list }) =>
      list.templates.map((one) => namedUpstream(offers.source, one)),
    );
  }

  async prompts(): Promise<Prompt[]> {
    const listed = await this.#listed();
    return listed.flatMap(({ offers, list }) =>
      list.prompts.map((one) => namedUpstream(offers.source, one)),
    );
  }

  /** Undefined for a URI that no server lists or has a template for. */
  async read(uri: string): Promise<ReadResourceResult | undefined> {
    const listed = await this.#listed();
    const holder =
      listed.find(({ list }) => list.resources.some((one) => one.uri === uri)) ??
      listed.find(({ list }) => list.templates.some((one) => mayMatch(one, uri)));
    return holder?.offers.read(uri) as Promise<ReadResourceResult | undefined>;
  }

  /** Undefined for a name that no server has. */
  async prompt(
    name: string,
    args: Readonly<Record<string, string>>,
  ): Promise<GetPromptResult | undefined> {
    const offers = this.#all.find(({ source }) => name.startsWith(`${source}.`));
    const answer = offers?.prompt(name.slice(offers.source.length + 1), args);
    return answer as Promise<GetPromptResult | undefined>;
  }

  /** Calls the listener when a server's tools, resources or prompts change. Returns a function that stops it. */
  onChange(listener: () => void): () => void {
    const stops = this.#all.map((offers) => offers.onChange(listener));
    return () => stops.forEach((stop) => stop());
  }

  /** If a server cannot be reached, it offers nothing. */
  async #listed(): Promise<Listed[]> {
    const lists = await Promise.allSettled(this.#all.map((offers) => offers.list()));
    return lists.flatMap((each, index) =>
      each.status === "fulfilled" ? [{ offers: this.#all[index]!, list: each.value }] : [],
    );
  }
}
