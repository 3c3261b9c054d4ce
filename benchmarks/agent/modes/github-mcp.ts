import { parsePrinted } from "../play/expression.ts";
import { countedText, turn } from "../play/text.ts";
import type { Params, ToolUse, ToolUses, Turn } from "../types.ts";
import { INSTRUCTIONS, MEAN_DEFINITION, definitionCounts } from "./github-mcp-definitions.ts";
import { shapedAnswer } from "./github-mcp-shapes.ts";
import { NoWay } from "./mode.ts";
import type { PlayMode, Scene } from "./mode.ts";
import { brokenOff, getFinding } from "./recovery.ts";

/**
 * An agent with GitHub's MCP server. Calls are counted as they are sent, and answers come from
 * GitHub's REST API.
 */
class ToolAgent {
  readonly turns: Turn[] = [];
  readonly outputs: unknown[] = [];
  readonly #scene: Scene;

  constructor(scene: Scene) {
    this.#scene = scene;
  }

  /** Sends a call. Returns whether the connection failed. */
  async #send(use: ToolUse, purpose: Turn["purpose"]): Promise<boolean> {
    const { stage } = this.#scene;
    const [method = "GET", path = ""] = use.rest.split(" ");
    const question = { method, path, body: this.#filled(use.body) };
    const answer = await stage.ask(question).catch(brokenOff);
    const isOk = answer.status >= 200 && answer.status < 300;
    const read = isOk ? shapedAnswer(answer.body, use.shape) : answer.body;
    const sent = JSON.stringify({ name: use.tool, arguments: use.args });
    this.turns.push(turn(purpose, use.tool, sent, stage.steady(read)));
    this.#last = parsePrinted(read);
    return answer.status === 0 || answer.status >= 500;
  }

  #last: unknown;

  /** Replaces `$HEAD(main)` by the commit of the branch, which the real server looks up itself. */
  #filled(body: Params | undefined): unknown {
    const { repositories } = this.#scene.stage.github.store;
    const refs = repositories.find(({ name }) => name === "hello")?.refs;
    const text = JSON.stringify(body)?.replaceAll(
      /\$HEAD\(([^)]*)\)/g,
      (_, branch: string) => refs?.get(`refs/heads/${branch}`) ?? "",
    );
    return body && JSON.parse(text ?? "");
  }

  /** Checks whether a write was applied. */
  async #isThere({ check, seen }: ToolUses): Promise<boolean> {
    if (check === undefined || seen === undefined) return false;
    await this.#send(check, "recover");
    return getFinding(seen, this.#last) !== undefined;
  }

  /** Retries a read. Retries a write only if it was not applied. */
  async use(each: ToolUse, uses: ToolUses): Promise<void> {
    const isLost = await this.#send(each, "call");
    if (isLost && !(await this.#isThere(uses))) await this.#send(each, "recover");
    this.outputs.push(this.#last);
  }
}

export const githubMcp: PlayMode = async (scene) => {
  const { github_mcp: uses } = scene.scenario;
  if (typeof uses === "string") throw new NoWay(uses);
  if (scene.variant === "guess") throw new NoWay("its refusals are not published");
  const agent = new ToolAgent(scene);
  for (const each of uses.run) await agent.use(each, uses);
  const counts = definitionCounts(uses.run.map(({ tool }) => tool));
  const definitions = counts.map(([what, tokens]) => ({ what, tokens }));
  return { definitions, turns: agent.turns, outputs: agent.outputs, answer: uses.answer };
};

/** A client with deferred tools gets each definition after a search for it, once in a session. */
function searchTurn(tool: string): Turn {
  const send = countedText(
    "tool search",
    JSON.stringify({ name: "tool_search", arguments: { query: tool } }),
  );
  return {
    purpose: "discover",
    send,
    read: { what: `definition ${tool}`, tokens: MEAN_DEFINITION },
  };
}

export const githubMcpDeferred: PlayMode = async (scene) => {
  const made = await githubMcp(scene);
  const { github_mcp: uses } = scene.scenario;
  const tools = typeof uses === "string" ? [] : uses.run.map(({ tool }) => tool);
  return {
    ...made,
    definitions: [{ what: "instructions of the server", tokens: INSTRUCTIONS }],
    turns: [...[...new Set(tools)].map(searchTurn), ...made.turns],
  };
};
