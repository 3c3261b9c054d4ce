import { outsideText } from "@waybill/core/cards";
import type { McpOffers, OfferList } from "../relay/index.ts";
import type { Connection } from "./connect.ts";
import type { Link } from "./link.ts";
import type { Memory } from "./memory.ts";
import type { McpSourceSettings } from "./settings.ts";

type Client = Connection["client"];

const DEFAULT_LIST_MS = 30_000;
const MAX_LISTED = 1_000;
const NOTHING: OfferList = { resources: [], templates: [], prompts: [] };

interface Described {
  readonly name: string;
  readonly description?: string | undefined;
  readonly title?: string | undefined;
}

/**
 * Whether a key has no hidden characters. A key with hidden characters cannot be cleaned,
 * because the server must recognise it.
 */
function hasOnlyShownCharacters(key: string): boolean {
  return outsideText(key) === key;
}

/** Removes hidden characters from a server's text. */
function cleanedTexts<T extends Omit<Described, "name">>(one: T): T {
  return {
    ...one,
    ...(one.description !== undefined && { description: outsideText(one.description) }),
    ...(one.title !== undefined && { title: outsideText(one.title) }),
  };
}

/**
 * URIs of this scheme belong to Waybill. Those of other servers are dropped, so that a reader of
 * stored results cannot get other content.
 */
function isForeign(uri: string): boolean {
  return hasOnlyShownCharacters(uri) && !/^\s*waybill:/iu.test(uri);
}

function cleanedResources<T extends Described>(listed: readonly T[], key: (one: T) => string): T[] {
  const kept = listed.slice(0, MAX_LISTED).filter((one) => isForeign(key(one)));
  return kept.map((one) => cleanedTexts({ ...one, name: outsideText(one.name) }));
}

type ListedPrompt = Awaited<ReturnType<Client["listPrompts"]>>["prompts"][number];

function cleanedPrompts(listed: readonly ListedPrompt[]): ListedPrompt[] {
  return listed
    .slice(0, MAX_LISTED)
    .filter(({ name, arguments: args = [] }) =>
      [name, ...args.map((arg) => arg.name)].every(hasOnlyShownCharacters),
    )
    .map(({ arguments: args, ...one }) => ({
      ...cleanedTexts(one),
      ...(args !== undefined && { arguments: args.map(cleanedTexts) }),
    }));
}

async function listOffers(client: Client, timeout: number): Promise<OfferList> {
  const { resources, prompts } = client.getServerCapabilities() ?? {};
  const options = { timeout, cacheMode: "bypass" } as const;
  const none = { resources: [], resourceTemplates: [], prompts: [] };
  const hasResources = resources !== undefined;
  const [listed, templates, prompted] = await Promise.all([
    hasResources ? client.listResources(undefined, options) : none,
    // Ignores errors, because many servers have resources but no templates.
    hasResources ? client.listResourceTemplates(undefined, options).catch(() => none) : none,
    prompts === undefined ? none : client.listPrompts(undefined, options),
  ]);
  return {
    resources: cleanedResources(listed.resources, ({ uri }) => uri),
    templates: cleanedResources(templates.resourceTemplates, ({ uriTemplate }) => uriTemplate),
    prompts: cleanedPrompts(prompted.prompts),
  };
}

/** The resources and prompts of one server. They use the same connection as its tools. */
export class ServerOffers implements McpOffers {
  readonly source: string;
  readonly #link: Link;
  readonly #memory: Memory;
  readonly #timeout: number;
  readonly #listeners = new Set<() => void>();

  constructor(settings: McpSourceSettings, link: Link, memory: Memory) {
    this.source = settings.name;
    this.#link = link;
    this.#memory = memory;
    this.#timeout = settings.connectTimeoutMs ?? DEFAULT_LIST_MS;
  }

  async list(): Promise<OfferList> {
    return (await this.#memory.offers()) ?? this.#link.use((connection) => this.learn(connection));
  }

  read(uri: string): ReturnType<McpOffers["read"]> {
    return this.#link.use(({ client }) => client.readResource({ uri }, { timeout: this.#timeout }));
  }

  prompt(name: string, args: Readonly<Record<string, string>>): ReturnType<McpOffers["prompt"]> {
    const params = { name, arguments: { ...args } };
    return this.#link.use(({ client }) => client.getPrompt(params, { timeout: this.#timeout }));
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Lists the resources and prompts. A server that cannot list them has none. */
  async learn({ client }: Connection): Promise<OfferList> {
    const offers = await listOffers(client, this.#timeout).catch(() => NOTHING);
    await this.#memory.rememberOffers(offers);
    return offers;
  }

  /** Updates the lists when the server says that they have changed. */
  watch(connection: Connection): void {
    const { client } = connection;
    const { resources, prompts } = client.getServerCapabilities() ?? {};
    const changed = (): void => {
      this.learn(connection)
        .then(() => this.tellChange())
        .catch(() => {});
    };
    if (resources?.listChanged === true) {
      client.setNotificationHandler("notifications/resources/list_changed", changed);
    }
    if (prompts?.listChanged === true) {
      client.setNotificationHandler("notifications/prompts/list_changed", changed);
    }
  }

  tellChange(): void {
    for (const listener of this.#listeners) listener();
  }
}
