import { camelCasedId } from "@waybill/core/protocol";
import type { OperationSpec } from "@waybill/core";
import type { ProgramHost } from "@waybill/core/protocol";

/** The form of a call's result: the whole list, or one page. */
export type CallForm = "data" | "result" | "page";

export interface Target {
  readonly spec: OperationSpec;
  readonly form: CallForm;
  /** The inputs that an alias sets, such as `event` for `pr.approve`. */
  readonly implied?: object | undefined;
  /** The name in the program, if it is an alias of the capability. */
  readonly alias?: string | undefined;
}

const FORMS = ["result", "page"] as const;
const MAX_SHOWN = 8;
/** Limits of suggestions: how many names are compared with all ids, and how long a name may be. */
const MAX_GUESSES = 10;
const MAX_NAME = 200;

function rootName(name: string): string {
  return name.split(".", 1)[0]!;
}

/** Splits the form from the name: `issue.list.page` asks for a page of `issue.list`. */
function splitForm(name: string): { id: string; form: CallForm } {
  const form = FORMS.find((each) => name.endsWith(`.${each}`));
  return form === undefined
    ? { id: name, form: "data" }
    : { id: name.slice(0, -form.length - 1), form };
}

/** The capabilities that one program names. */
export class Catalogue {
  readonly #host: Pick<ProgramHost, "operations" | "nearest">;
  readonly #specs = new Map<string, OperationSpec | undefined>();
  /** Alias ids, such as `issue.edit` for `issue.update`. */
  readonly #aliases = new Map<string, Pick<Target, "spec" | "implied">>();
  /** First words of the known ids. */
  readonly #roots = new Set<string>();
  /** Every spec, after all of them were loaded. */
  #all: readonly OperationSpec[] | undefined;
  #guesses = 0;

  constructor(host: Pick<ProgramHost, "operations" | "nearest">) {
    this.#host = host;
  }

  /** Loads these names. A name that is still unknown afterwards does not exist. */
  async learn(names: Iterable<string>): Promise<void> {
    const ids = [...new Set([...names].map((name) => splitForm(name).id))];
    await this.#load(ids);
    const missing = [...names].filter((name) => this.find(name) === undefined);
    if (missing.length === 0) return;
    // Tries other spellings too: an id may end in `.page`, and programs cannot write hyphens in
    // names.
    await this.#load(missing);
    if (missing.some((name) => this.find(name) === undefined)) await this.#loadAll();
    // If a program calls an alias such as `issues.create`, the alias's first word is needed as a
    // global too.
    for (const name of missing)
      if (this.#aliases.has(splitForm(name).id)) this.#roots.add(rootName(name));
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
    this.#roots.add(rootName(id)).add(camelCasedId(rootName(id)));
    const written = camelCasedId(id);
    if (this.#specs.get(written) === undefined) this.#specs.set(written, spec);
    for (const alias of spec.alsoCalled ?? []) {
      const named = { spec, implied: spec.idInputs?.[alias] };
      if (!this.#aliases.has(alias))
        this.#aliases.set(alias, named).set(camelCasedId(alias), named);
    }
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
    if (spec !== undefined) return { spec, form };
    const named = this.#aliases.get(id);
    return named === undefined ? undefined : { ...named, form, alias: id };
  }

  /** Whether any capability starts with this word. */
  async isRoot(word: string): Promise<boolean> {
    if (this.#roots.has(word)) return true;
    await this.#loadAll();
    return this.#roots.has(word);
  }

  /**
   * Similar ids, for an error message. Only the first few unknown names of a program get
   * suggestions.
   */
  async nearest(name: string): Promise<readonly string[]> {
    this.#guesses += 1;
    if (this.#guesses > MAX_GUESSES || name.length > MAX_NAME) return [];
    const ids = (await this.#loadAll()).map(({ id }) => id);
    const near = this.#host.nearest(splitForm(name).id);
    // Models also write the name of the source first, as in `github.issue.list`.
    const inner = this.find(name.slice(name.indexOf(".") + 1))?.spec.id;
    if (inner !== undefined) return [inner, ...near.filter((id) => id !== inner)];
    if (near.length > 0) return near;
    return ids.filter((id) => rootName(id) === rootName(name)).slice(0, MAX_SHOWN);
  }

  async rootNames(): Promise<readonly string[]> {
    const all = await this.#loadAll();
    return [...new Set(all.map(({ id }) => camelCasedId(rootName(id))))];
  }
}
