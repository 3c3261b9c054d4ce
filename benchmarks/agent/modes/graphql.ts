import { parsed } from "../play/expression.ts";
import { textOf, turn } from "../play/text.ts";
import type { Documents, Turn } from "../types.ts";
import { NoWay } from "./mode.ts";
import type { PlayMode, Scene } from "./mode.ts";
import { typeText } from "./github-schema.ts";
import { START, unreadSlices } from "./schema-slices.ts";
import type { Reading } from "./schema-slices.ts";

/** An agent that sends documents of its own to GitHub's GraphQL API. */
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

  /** One look into the schema for all that documents need and was not read before. */
  readSchema(documents: readonly string[]): void {
    const unread = unreadSlices(documents, this.#reading, this.#known);
    for (const [index, [name, text]] of unread.entries()) {
      this.#known.add(name);
      const look = turn("discover", "schema", name, text);
      this.turns.push(index === 0 ? look : { ...look, joined: true });
    }
  }

  async #send(query: string, purpose: Turn["purpose"]): Promise<string | undefined> {
    const { stage } = this.#scene;
    const answer = await stage
      .ask("POST", "/graphql", { query })
      .catch((error: unknown) => ({ status: 0, body: String(error) }));
    this.turns.push(turn(purpose, "POST /graphql", query, stage.steady(answer.body)));
    return answer.status === 200 ? answer.body : undefined;
  }

  /** `$CURSOR` is where the page before ended, `$ID0` the first id in the answer before, `$OID0` the first commit. */
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

  async document(given: string, { check }: Documents, purpose: Turn["purpose"]): Promise<void> {
    const query = this.#filled(given);
    const { stage } = this.#scene;
    const before = stage.applied();
    let body = await this.#send(query, purpose);
    if (body === undefined && check !== undefined && query.startsWith("mutation")) {
      this.readSchema([check]);
      body = await this.#send(check, "recover");
      if (stage.applied() === before) body = undefined;
    }
    body ??= await this.#send(query, "recover");
    this.outputs.push(parsed(body ?? ""));
  }

  async guess(query: string): Promise<void> {
    await this.#send(query, "call");
  }
}

/** Someone who writes documents, and looks up in the schema what their own knowledge does not tell. */
export function graphqlMode(reading: Reading): PlayMode {
  return async (scene) => {
    const { graphql: documents } = scene.scenario;
    if (typeof documents === "string") throw new NoWay(documents);
    const isGuess = scene.variant === "guess";
    if (isGuess && documents.guess === undefined) throw new NoWay("no guess is written");
    const agent = new GraphqlAgent(scene, reading);
    agent.readSchema(documents.run);
    if (isGuess && documents.guess !== undefined) await agent.guess(documents.guess);
    for (const each of documents.run)
      await agent.document(each, documents, isGuess ? "recover" : "call");
    const { turns, outputs } = agent;
    const definitions = reading === "types" ? [textOf(`type ${START}`, typeText(START))] : [];
    return { definitions, turns, outputs, answer: documents.answer };
  };
}
