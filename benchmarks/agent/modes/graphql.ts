import { parsePrinted } from "../play/expression.ts";
import { countedText, turn } from "../play/text.ts";
import type { Documents, Turn } from "../types.ts";
import { NoWay, noMistake } from "./mode.ts";
import type { PlayMode, Scene } from "./mode.ts";
import { brokenOff, getFinding } from "./recovery.ts";
import { typeText } from "./github-schema.ts";
import { START, unreadSlices } from "./schema-slices.ts";
import type { Reading } from "./schema-slices.ts";

/** An agent that sends its own documents to GitHub's GraphQL API. */
class GraphqlAgent {
  readonly turns: Turn[] = [];
  readonly outputs: unknown[] = [];
  readonly #scene: Scene;
  readonly #reading: Reading;
  readonly #known = new Set<string>();

  constructor(scene: Scene, reading: Reading) {
    this.#scene = scene;
    this.#reading = reading;
  }

  /**
   * Reads all parts of the schema that the documents need and that were not read before, in one
   * call.
   */
  readSchema(documents: readonly string[]): void {
    const unread = unreadSlices(documents, this.#reading, this.#known);
    for (const [index, [name, text]] of unread.entries()) {
      this.#known.add(name);
      const look = turn("discover", "schema", name, text);
      this.turns.push(index === 0 ? look : { ...look, joined: true });
    }
  }

  /** The answer; undefined if the connection failed. */
  async #send(query: string, purpose: Turn["purpose"]): Promise<string | undefined> {
    const { stage } = this.#scene;
    const question = { method: "POST", path: "/graphql", body: { query } };
    const answer = await stage.ask(question).catch(brokenOff);
    this.turns.push(turn(purpose, "POST /graphql", query, stage.steady(answer.body)));
    return answer.status === 200 ? answer.body : undefined;
  }

  /**
   * Replaces `$CURSOR` by the end of the previous page, `$ID0` by the first id in the previous
   * answer, and `$OID0` by its first commit.
   */
  #filled(query: string): string {
    const before = JSON.stringify(this.outputs.at(-1) ?? "");
    const [ids, oids, cursors] = ["id", "oid", "endCursor"].map((name) =>
      [...before.matchAll(new RegExp(`"${name}":"([^"]*)"`, "g"))].map(([, value = ""]) => value),
    );
    return query
      .replaceAll(/\$ID(\d)/g, (_, index: string) => ids?.[Number(index)] ?? "")
      .replaceAll(/\$OID(\d)/g, (_, index: string) => oids?.[Number(index)] ?? "")
      .replaceAll("$CURSOR", cursors?.at(-1) ?? "");
  }

  /** Looks for a write that may have been applied; undefined if it was not. */
  async #found({ check, seen }: Documents): Promise<string | undefined> {
    if (check === undefined || seen === undefined) return undefined;
    this.readSchema([check]);
    const body = await this.#send(this.#filled(check), "recover");
    return getFinding(seen, parsePrinted(body ?? "")) === undefined ? undefined : body;
  }

  /** Retries a read. Retries a write only if it was not applied. */
  async #document(given: string, documents: Documents, purpose: Turn["purpose"]): Promise<void> {
    const query = this.#filled(given);
    let body = await this.#send(query, purpose);
    body ??= await this.#found(documents);
    body ??= await this.#send(query, "recover");
    this.outputs.push(parsePrinted(body ?? ""));
  }

  async documents(documents: Documents, isGuess: boolean): Promise<void> {
    const { run, guess } = documents;
    for (const [index, each] of run.entries()) {
      // Only the last document contains the mistake, because the earlier ones only find ids.
      const isWrong = isGuess && index === run.length - 1;
      if (isWrong && guess !== undefined) await this.#send(this.#filled(guess), "call");
      await this.#document(each, documents, isWrong ? "recover" : "call");
    }
  }
}

/** An agent that writes documents and looks up the schema for what it does not know. */
export function graphqlMode(reading: Reading): PlayMode {
  return async (scene) => {
    const { graphql: documents } = scene.scenario;
    if (typeof documents === "string") throw new NoWay(documents);
    const isGuess = scene.variant === "guess";
    if (isGuess && documents.guess === undefined) throw noMistake(scene.scenario);
    const agent = new GraphqlAgent(scene, reading);
    agent.readSchema(documents.run);
    await agent.documents(documents, isGuess);
    const { turns, outputs } = agent;
    const definitions = reading === "types" ? [countedText(`type ${START}`, typeText(START))] : [];
    return { definitions, turns, outputs, answer: documents.answer };
  };
}
