import { CallError, agentErrorCode } from "@waybill/core";
import { outsideText } from "@waybill/core/cards";
import type { Operation, OperationSpec, Source, SourceProblem } from "@waybill/core";
import type { OperationRun } from "@waybill/core/protocol";
import type { McpOffers } from "../relay/index.ts";
import type { Connection } from "./connect.ts";
import { connectFailure } from "./connect-failure.ts";
import { Link } from "./link.ts";
import { listenForChanges, watchTools } from "./list-changes.ts";
import { Memory } from "./memory.ts";
import { checkSettings } from "./check-settings.ts";
import { notificationsOperation } from "./notifications/notifications.ts";
import { ServerOffers } from "./server-offers.ts";
import type { McpSourceSettings } from "./settings.ts";
import { memoryStore } from "./store/memory-store.ts";
import { toolOperation } from "./tool-operation.ts";
import type { ToolKit } from "./tool-operation.ts";
import type { ToolList } from "./tools/list-tools.ts";
import { waitingTool } from "./tools/waiting-tool.ts";
import { toolIds } from "./tools/tool-ids.ts";
import type { Tool } from "./tools/tool.ts";

const DEFAULT_LIST_MS = 30_000;
const MAX_CHANGES = 100;

interface Offered {
  readonly tool: Tool;
  /** How the tool differs from the trusted one. */
  readonly change: string | undefined;
  readonly operation: Operation;
}

/** An MCP server as a source. */
export interface McpServerSource extends Source {
  /** The resources and prompts of the server. */
  readonly offers: McpOffers;
}

/** The tools of one MCP server as operations. */
class McpSource implements McpServerSource {
  readonly offers: ServerOffers;
  readonly name: string;
  readonly route = "mcp";
  readonly #settings: McpSourceSettings;
  readonly #memory: Memory;
  readonly #link: Link;
  readonly #kit: ToolKit;
  readonly #listeners = new Set<() => void>();
  /**
   * Only a server with notifications has this operation. A tool with the same name has priority.
   */
  readonly #notifications: Operation;
  #notifies = false;
  #offered: ReadonlyMap<string, Offered> | undefined;
  #problems: readonly string[] = [];
  #loading: Promise<void> | undefined;
  #refreshing: Promise<void> | undefined;

  constructor(settings: McpSourceSettings) {
    this.name = settings.name;
    this.#settings = settings;
    const store = settings.store ?? memoryStore();
    this.#memory = new Memory(settings, store);
    this.#link = new Link(settings, store, this.#memory, (made) => this.#connected(made));
    this.offers = new ServerOffers(settings, this.#link, this.#memory);
    const refresh = (): Promise<void> => this.#refresh();
    this.#kit = { settings, link: this.#link, memory: this.#memory, refresh };
    this.#notifications = notificationsOperation(`${this.name}.notifications`, this.#link);
  }

  async list(): Promise<readonly OperationSpec[]> {
    if (this.#offered === undefined) {
      this.#loading ??= this.#load();
      try {
        await this.#loading;
      } finally {
        this.#loading = undefined;
      }
    }
    return this.#operations().map(({ spec }) => spec);
  }

  describe(id: string): OperationSpec {
    return this.#find(id).spec;
  }

  runOf(id: string): OperationRun {
    return this.#find(id).run;
  }

  problems(): readonly SourceProblem[] {
    return this.#problems.map((message) => ({ source: this.name, operationId: "", message }));
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async close(): Promise<void> {
    await this.#link.close();
    await this.#memory.settled();
  }

  #operations(): readonly Operation[] {
    const tools = [...(this.#offered?.values() ?? [])].map(({ operation }) => operation);
    const isOffered = this.#notifies && this.#offered?.has(this.#notifications.spec.id) === false;
    return isOffered ? [...tools, this.#notifications] : tools;
  }

  #find(id: string): Operation {
    const found = this.#offered?.get(id)?.operation;
    if (found !== undefined) return found;
    if (this.#notifies && id === this.#notifications.spec.id) return this.#notifications;
    throw new CallError("OPERATION_NOT_FOUND", `${this.name} has no operation called "${id}"`, {
      hint: `List the operations of ${this.name} again, because they may have changed`,
      outcome: "not_applied",
    });
  }

  /** Stored tools are used until the server is needed for something else. */
  async #load(): Promise<void> {
    const remembered = this.#settings.fresh === true ? undefined : await this.#memory.tools();
    if (remembered === undefined) await this.#refresh();
    else await this.#offer(remembered);
  }

  #refresh(): Promise<void> {
    this.#refreshing ??= this.#listAndLearn().finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  /**
   * Lists the tools, twice if needed: this request may be the first one that fails because of a
   * broken connection or an outdated protocol version.
   */
  async #listAndLearn(): Promise<void> {
    const list = (await this.#listed(false)) ?? (await this.#listed(true));
    await this.#learn(list ?? { tools: [], problems: [] });
  }

  /** Lists the tools. Undefined if that failed and may succeed on a new connection. */
  #listed(isLast: boolean): Promise<ToolList | undefined> {
    const timeout = this.#settings.connectTimeoutMs ?? DEFAULT_LIST_MS;
    return this.#link.use(async (connection) => {
      const { listTools } = await import("./tools/list-tools.ts");
      try {
        return await listTools(connection, timeout);
      } catch (thrown) {
        await this.#link.drop(connection);
        const failure = connectFailure(
          this.#settings,
          thrown,
          connection.line,
          connection.redactor,
        );
        const mayHelp = connection.isAssumed || agentErrorCode(failure) === "NETWORK";
        if (isLast || !mayHelp) throw failure;
        if (connection.isAssumed) await this.#memory.rememberVerdict(undefined);
        return undefined;
      }
    });
  }

  async #learn(list: ToolList): Promise<void> {
    const isChanged = await this.#offer(list);
    await this.#memory.rememberTools(list);
    if (!isChanged) return;
    for (const listener of this.#listeners) listener();
    this.offers.tellChange();
  }

  /** Registers tools. Returns whether any of them has changed. */
  async #offer({ tools, problems, notifies = false }: ToolList): Promise<boolean> {
    const changes = await this.#settings.pins?.compare(tools);
    this.#problems = [...problems, ...this.#changesOf(changes)];
    this.#notifies = notifies;
    const before = this.#offered;
    const ids = toolIds(
      this.name,
      tools.map(({ name }) => name),
    );
    const entries = tools.map((tool) => {
      const change = changes?.get(tool.name);
      return this.#offerOne(ids.get(tool.name)!, { tool, change }, before);
    });
    this.#offered = new Map(entries.map((offered) => [offered.operation.spec.id, offered]));
    if (before === undefined) return false;
    return before.size !== entries.length || entries.some((offered) => !isKnown(offered, before));
  }

  #offerOne(
    id: string,
    { tool, change }: Omit<Offered, "operation">,
    before: ReadonlyMap<string, Offered> | undefined,
  ): Offered {
    const known = before?.get(id);
    const isSame = known?.change === change && JSON.stringify(known?.tool) === JSON.stringify(tool);
    if (known !== undefined && isSame) return known;
    const operation =
      change === undefined
        ? toolOperation(id, tool, this.#kit)
        : waitingTool(id, this.name, this.#settings.pins?.command ?? "");
    return { tool, change, operation };
  }

  #changesOf(changes: ReadonlyMap<string, string> = new Map()): string[] {
    const command = this.#settings.pins?.command ?? "";
    return [...changes]
      .slice(0, MAX_CHANGES)
      .map(([name, what]) => `${outsideText(name)} needs trust again: ${what}; run: ${command}`);
  }

  /** Lists the tools again, because they may have changed since the last connection. */
  #connected(connection: Connection): void {
    watchTools(connection, () => this.#refreshQuietly());
    this.offers.watch(connection);
    listenForChanges(connection);
    if (this.#offered !== undefined) this.#refreshQuietly();
  }

  /** If the new list fails, the known tools stay. */
  #refreshQuietly(): void {
    this.#refresh().catch(() => {});
  }
}

function isKnown(offered: Offered, before: ReadonlyMap<string, Offered>): boolean {
  return before.get(offered.operation.spec.id) === offered;
}

/**
 * Creates a source for an MCP server. The server is started only when needed: stored tools are
 * listed without it, and the first call starts it.
 */
export function mcpSource(settings: McpSourceSettings): McpServerSource {
  checkSettings(settings);
  return new McpSource(settings);
}
