import { createHash } from "node:crypto";
import type { PriorDiscovery } from "@modelcontextprotocol/client";
import { isRecord } from "@waybill/core/schema";
import type { OfferList } from "../relay/index.ts";
import { isStdio } from "./settings.ts";
import type { McpSourceSettings } from "./settings.ts";
import type { StateStore } from "./store/state-store.ts";
import type { ToolList } from "./tools/list-tools.ts";

/** Cached tools are used for a day, because the server may have been updated since. */
const FRESH_MS = 86_400_000;
const SHAPE = 3;

interface Dated<T> {
  readonly at: number;
  readonly value: T;
}

interface Kept {
  readonly shape?: number;
  readonly verdict?: Dated<PriorDiscovery>;
  readonly tools?: Dated<ToolList>;
  readonly offers?: Dated<OfferList>;
}

/**
 * The key under which a server is remembered. It is the same for every caller, and contains no
 * secrets.
 */
function serverKey(settings: McpSourceSettings): string {
  const address = isStdio(settings)
    ? [settings.command, ...(settings.args ?? []), settings.cwd ?? ""]
    : [settings.url];
  const digest = createHash("sha256").update(JSON.stringify(address)).digest("hex").slice(0, 16);
  return `mcp-${settings.name}-${digest}`;
}

function fresh<T>(kept: Dated<T> | undefined): T | undefined {
  return kept !== undefined && Date.now() - kept.at < FRESH_MS ? kept.value : undefined;
}

/**
 * Stores the protocol version and tools of a server, so that the server need not be started to
 * list them.
 */
export class Memory {
  readonly #store: StateStore;
  readonly #key: string;
  #kept: Kept | undefined;
  #written: Promise<void> = Promise.resolve();

  constructor(settings: McpSourceSettings, store: StateStore) {
    this.#store = store;
    this.#key = serverKey(settings);
  }

  async verdict(): Promise<PriorDiscovery | undefined> {
    return fresh((await this.#read()).verdict);
  }

  async tools(): Promise<ToolList | undefined> {
    return fresh((await this.#read()).tools);
  }

  async offers(): Promise<OfferList | undefined> {
    return fresh((await this.#read()).offers);
  }

  async rememberOffers(value: OfferList): Promise<void> {
    await this.#write({ ...(await this.#read()), offers: { at: Date.now(), value } });
  }

  async rememberVerdict(value: PriorDiscovery | undefined): Promise<void> {
    const { verdict: _old, ...others } = await this.#read();
    const now = { at: Date.now() };
    await this.#write(value === undefined ? others : { ...others, verdict: { ...now, value } });
  }

  async rememberTools(value: ToolList): Promise<void> {
    await this.#write({ ...(await this.#read()), tools: { at: Date.now(), value } });
  }

  /** Resolves when everything is stored. */
  settled(): Promise<void> {
    return this.#written;
  }

  async #read(): Promise<Kept> {
    if (this.#kept !== undefined) return this.#kept;
    const value = await this.#store.read(this.#key).catch(() => undefined);
    const isOurs = isRecord(value) && value["shape"] === SHAPE;
    this.#kept = isOurs ? value : {};
    return this.#kept;
  }

  /**
   * One write at a time, because a slow older write would replace a newer one. If a write fails, the
   * tools are listed again next time.
   */
  async #write(kept: Kept): Promise<void> {
    this.#kept = { ...kept, shape: SHAPE };
    this.#written = this.#written
      .then(() => this.#store.write(this.#key, this.#kept))
      .catch(() => {});
    await this.#written;
  }
}
