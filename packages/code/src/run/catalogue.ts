import { nearestNames } from "@waybill/core/schema";
import type { OperationSpec } from "@waybill/core";
import type { ProgramHost } from "@waybill/core/protocol";

/** How the result of a call is wanted. */
export type CallForm = "data" | "result" | "page";

export interface Target {
  readonly spec: OperationSpec;
  readonly form: CallForm;
}

const FORMS = ["result", "page"] as const;
const MAX_SHOWN = 8;
/** Names that are compared with all ids, and their length. */
const MAX_GUESSES = 10;
const MAX_NAME = 200;

/** A name as it is written in a program: hyphens are not possible there. */
function camelCased(id: string): string {
  return id.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function rootName(name: string): string {
  return name.split(".", 1)[0]!;
}

/** `issue.list.page` asks for a page of `issue.list`. */
function splitForm(name: string): { id: string; form: CallForm } {
  const form = FORMS.find((each) => name.endsWith(`.${each}`));
  return form === undefined
    ? { id: name, form: "data" }
    : { id: name.slice(0, -form.length - 1), form };
}

/** The capabilities that one program names. */
export class Catalogue {
  readonly #host: Pick<ProgramHost, "operations">;
  readonly #specs = new Map<string, OperationSpec | undefined>();
  /** First words of the ids that are known so far. */
  readonly #roots = new Set<string>();
  /** Every spec, once all of them had to be asked for. */
  #all: readonly OperationSpec[] | undefined;
  #guesses = 0;

  constructor(host: Pick<ProgramHost, "operations">) {
    this.#host = host;
  }

  /** Learns these names; what is not known afterwards does not exist. */
  async learn(names: Iterable<string>): Promise<void> {
    const ids = [...new Set([...names].map((name) => splitForm(name).id))];
    await this.#load(ids);
    const missing = [...names].filter((name) => this.find(name) === undefined);
    if (missing.length === 0) return;
    // An id may end like a form, and one with hyphens is written without them.
    await this.#load(missing);
    if (missing.some((name) => this.find(name) === undefined)) await this.#loadAll();
  }

  async #load(ids: readonly string[]): Promise<void> {
    const unknown = ids.filter((id) => !this.#specs.has(id));
    if (unknown.length === 0) return;
    for (const id of unknown) this.#specs.set(id, undefined);
    for (const spec of await this.#host.operations(unknown)) this.#add(spec);
  }

  #add(spec: OperationSpec): void {
    const { id } = spec;
    this.#specs.set(id, spec);
    this.#roots.add(rootName(id)).add(camelCased(rootName(id)));
    const written = camelCased(id);
    if (this.#specs.get(written) === undefined) this.#specs.set(written, spec);
  }

  async #loadAll(): Promise<readonly OperationSpec[]> {
    if (this.#all !== undefined) return this.#all;
    this.#all = await this.#host.operations();
    for (const spec of this.#all) this.#add(spec);
    return this.#all;
  }

  find(name: string): Target | undefined {
    const whole = this.#specs.get(name);
    if (whole !== undefined) return { spec: whole, form: "data" };
    const { id, form } = splitForm(name);
    const spec = this.#specs.get(id);
    return spec === undefined ? undefined : { spec, form };
  }

  /** Whether any capability begins with this word. */
  async isRoot(word: string): Promise<boolean> {
    if (this.#roots.has(word)) return true;
    await this.#loadAll();
    return this.#roots.has(word);
  }

  /** Ids that were probably meant. A program that tries many names is not told for all of them. */
  async nearest(name: string): Promise<readonly string[]> {
    this.#guesses += 1;
    if (this.#guesses > MAX_GUESSES || name.length > MAX_NAME) return [];
    const all = await this.#loadAll();
    const ids = all.map(({ id }) => id);
    const near = nearestNames(splitForm(name).id, ids, 3);
    if (near.length > 0) return near;
    return ids.filter((id) => rootName(id) === rootName(name)).slice(0, MAX_SHOWN);
  }

  async rootNames(): Promise<readonly string[]> {
    const all = await this.#loadAll();
    return [...new Set(all.map(({ id }) => camelCased(rootName(id))))];
  }
}
