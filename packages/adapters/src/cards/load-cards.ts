import { EFFECTS, cardProblem, checkCard, prepareCard } from "@waybill/core/cards";
import type { Effect } from "@waybill/core";
import type { CardProblem, CardSurroundings, PreparedCard } from "@waybill/core/cards";
import { readFolder } from "./card-files.ts";
import type { CardFile } from "./card-files.ts";
import { loadDocuments } from "./load-documents.ts";
import { stepCircles } from "./step-circles.ts";
import { readYaml } from "./yaml-card.ts";
import type { YamlCard } from "./yaml-card.ts";

export interface LoadCardsOptions {
  /**
   * Capabilities of other sources that a card's `verify` and `steps` may name. Without them a step
   * may name any: what is not there is told when the card is first called.
   */
  readonly capabilities?: Iterable<string>;
  /** Names of the functions that cards may `call`. */
  readonly functions?: Iterable<string>;
}

export interface LoadedCards {
  /** The good ones, by id. */
  readonly cards: readonly PreparedCard[];
  /** All that is wrong with the others, file by file. */
  readonly problems: readonly CardProblem[];
}

interface ReadFile extends YamlCard {
  readonly file: string;
  readonly id: string | undefined;
  readonly effect: Effect | undefined;
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

function readFile({ path, text }: CardFile): ReadFile {
  const yaml = readYaml(text, path);
  const id = memberOf(yaml.value, "capability_id");
  const effect = EFFECTS.find((known) => known === memberOf(yaml.value, "effect"));
  return { ...yaml, file: path, id: typeof id === "string" ? id : undefined, effect };
}

function twice({ file, id, locate }: ReadFile, first: string): CardProblem {
  const message = `${id ?? ""} is already the card of ${first}`;
  return cardProblem({ file, locate }, "/capability_id", message);
}

function byId(a: PreparedCard, b: PreparedCard): number {
  return a.id < b.id ? -1 : 1;
}

function effectsOf(files: readonly ReadFile[]): Map<string, Effect> {
  return new Map(
    files.flatMap(({ id, effect }) =>
      id === undefined || effect === undefined ? [] : [[id, effect] as const],
    ),
  );
}

/** Whether its answer is a list, or has one as its `items`. */
function answersList({ value }: ReadFile): boolean {
  const schema = memberOf(value, "output_schema");
  const items = memberOf(memberOf(schema, "properties"), "items");
  return [schema, items].some((each) => memberOf(each, "type") === "array");
}

function listsOf(files: readonly ReadFile[]): Set<string> {
  return new Set(files.filter(answersList).flatMap(({ id }) => id ?? []));
}

/** Checks file after file; an id that a former file has is a problem of the later one. */
class CardLoading {
  readonly cards: PreparedCard[] = [];
  readonly problems: CardProblem[] = [];
  readonly #fileOf = new Map<string, ReadFile>();
  readonly #surroundings: CardSurroundings;

  constructor(surroundings: CardSurroundings) {
    this.#surroundings = surroundings;
  }

  async add(read: ReadFile): Promise<void> {
    this.problems.push(...read.problems);
    if (read.problems.length > 0) return;
    const first = read.id === undefined ? undefined : this.#fileOf.get(read.id);
    if (first !== undefined) this.problems.push(twice(read, first.file));
    else await this.#check(read);
  }

  async #check(read: ReadFile): Promise<void> {
    if (read.id !== undefined) this.#fileOf.set(read.id, read);
    const { card, problems } = await checkCard(read.value, read, this.#surroundings);
    this.problems.push(...problems);
    if (card !== undefined) {
      this.cards.push(await prepareCard(card, this.#surroundings.documents));
    }
  }

  /** The good ones; what goes round in a circle can be told only when all are known. */
  end(): PreparedCard[] {
    const circles = stepCircles(this.cards);
    for (const { card, step, way } of circles) {
      const message = `leads back to this card: ${way.join(" → ")}`;
      const place = this.#fileOf.get(card.id)!;
      this.problems.push(cardProblem(place, `/steps/${step}/task`, message));
    }
    const bad = new Set(circles.map(({ card }) => card.id));
    return this.cards.filter(({ id }) => !bad.has(id)).toSorted(byId);
  }
}

/**
 * Reads a folder of cards: `.yaml` files, and `.graphql` documents by their path in the folder. A
 * bad card keeps no good one out. Throws only when the folder itself cannot be read.
 */
export async function loadCards(
  folder: string,
  options: LoadCardsOptions = {},
): Promise<LoadedCards> {
  const found = await readFolder(folder);
  const { documents, objectPath, problems } = await loadDocuments(found.documents);
  const files = found.cards.map(readFile);
  const ids = files.map(({ id }) => id).filter((id) => id !== undefined);
  const capabilities = new Set([...ids, ...(options.capabilities ?? [])]);
  const loading = new CardLoading({
    documents,
    ...(objectPath !== undefined && { objectPath }),
    capabilities,
    ...(options.capabilities !== undefined && { tasks: capabilities }),
    effects: effectsOf(files),
    lists: listsOf(files),
    functions: new Set(options.functions),
  });
  for (const file of files) await loading.add(file);
  const cards = loading.end();
  return { cards, problems: [...found.problems, ...problems, ...loading.problems] };
}
