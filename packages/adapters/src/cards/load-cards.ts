import { EFFECTS, cardProblem, checkCard, prepareCard } from "@waybill/core/cards";
import { camelCasedId } from "@waybill/core/protocol";
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
   * Capabilities of other sources that a card's `verify`, `steps` and `code` may use. Without
   * this list, steps and programs may use any id, and a missing one is reported when the card is
   * first called.
   */
  readonly capabilities?: Iterable<string>;
  /** Names of the functions that cards may `call`. */
  readonly functions?: Iterable<string>;
  /**
   * Finds the ids that a program calls, like `readProgramCalls` of `@waybill/code`. Without it, a
   * card with `code` must list them in `calls`.
   */
  readonly readProgram?: (program: string) => Promise<{
    readonly calls?: readonly string[] | undefined;
    readonly problem?: string | undefined;
  }>;
}

export interface LoadedCards {
  /** The valid cards, sorted by id. */
  readonly cards: readonly PreparedCard[];
  /** All problems of the invalid cards, file by file. */
  readonly problems: readonly CardProblem[];
}

interface ReadFile extends YamlCard {
  readonly file: string;
  readonly id: string | undefined;
  readonly effect: Effect | undefined;
}

function cardMember(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

function readFile({ path, text }: CardFile): ReadFile {
  const yaml = readYaml(text, path);
  const id = cardMember(yaml.value, "capability_id");
  const effect = EFFECTS.find((known) => known === cardMember(yaml.value, "effect"));
  return { ...yaml, file: path, id: typeof id === "string" ? id : undefined, effect };
}

function twice({ file, id, locate }: ReadFile, first: string): CardProblem {
  const message = `${id ?? ""} is already the id of the card in ${first}; choose another id`;
  return cardProblem({ file, locate }, "/capability_id", message);
}

function byId(a: PreparedCard, b: PreparedCard): number {
  return a.id < b.id ? -1 : 1;
}

function getEffects(files: readonly ReadFile[]): Map<string, Effect> {
  return new Map(
    files.flatMap(({ id, effect }) =>
      id === undefined || effect === undefined ? [] : [[id, effect] as const],
    ),
  );
}

/** Whether the output is a list, or has a list in `items`. */
function answersList({ value }: ReadFile): boolean {
  const schema = cardMember(value, "output_schema");
  const items = cardMember(cardMember(schema, "properties"), "items");
  return [schema, items].some((each) => cardMember(each, "type") === "array");
}

function getLists(files: readonly ReadFile[]): Set<string> {
  return new Set(files.filter(answersList).flatMap(({ id }) => id ?? []));
}

/** Fills in the ids that the program of a card calls. Returns a problem if they cannot be found. */
async function withCalls(
  read: ReadFile,
  { readProgram }: LoadCardsOptions,
): Promise<{ readonly value: unknown; readonly problem?: string | undefined }> {
  const { value } = read;
  const code = cardMember(value, "code");
  if (typeof code !== "string" || readProgram === undefined) return { value };
  const { calls: found = [], problem } = await readProgram(code);
  if (problem !== undefined) return { value, problem };
  const listed = cardMember(value, "calls");
  if (!Array.isArray(listed)) return { value: { ...(value as object), calls: found } };
  const known = listed.map(String).flatMap((id) => [id, camelCasedId(id)]);
  const other = found.find((id) => !known.includes(id));
  return other === undefined
    ? { value }
    : {
        value,
        problem: `calls ${other}, which the "calls" of the card does not list; add it there`,
      };
}

/**
 * Checks one file after the other. If two files have the same id, the problem is reported for
 * the later one.
 */
class CardLoading {
  readonly cards: PreparedCard[] = [];
  readonly problems: CardProblem[] = [];
  readonly #fileOf = new Map<string, ReadFile>();
  readonly #surroundings: CardSurroundings;
  readonly #options: LoadCardsOptions;

  constructor(surroundings: CardSurroundings, options: LoadCardsOptions) {
    this.#surroundings = surroundings;
    this.#options = options;
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
    const { value, problem } = await withCalls(read, this.#options);
    if (problem !== undefined) {
      this.problems.push(cardProblem(read, "/code", problem));
      return;
    }
    const { card, problems } = await checkCard(value, read, this.#surroundings);
    this.problems.push(...problems);
    if (card !== undefined) {
      this.cards.push(await prepareCard(card, this.#surroundings.documents));
    }
  }

  /** Returns the valid cards. Cycles are found here, because that needs all cards. */
  end(): PreparedCard[] {
    const circles = stepCircles(this.cards);
    for (const { card, pointer, way } of circles) {
      const message = `calls this card again (${way.join(" → ")}); remove one of these calls`;
      this.problems.push(cardProblem(this.#fileOf.get(card.id)!, pointer, message));
    }
    const bad = new Set(circles.map(({ card }) => card.id));
    return this.cards.filter(({ id }) => !bad.has(id)).toSorted(byId);
  }
}

/**
 * Reads a folder of cards: `.yaml` files, and `.graphql` documents by their path in the folder. An
 * invalid card does not affect the others. Throws only if the folder itself cannot be read.
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
  const surroundings: CardSurroundings = {
    documents,
    ...(objectPath !== undefined && { objectPath }),
    capabilities,
    ...(options.capabilities !== undefined && { tasks: capabilities }),
    effects: getEffects(files),
    lists: getLists(files),
    functions: new Set(options.functions),
  };
  const loading = new CardLoading(surroundings, options);
  for (const file of files) await loading.add(file);
  const cards = loading.end();
  return { cards, problems: [...found.problems, ...problems, ...loading.problems] };
}
