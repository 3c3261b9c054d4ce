type Params = Readonly<Record<string, unknown>>;

interface IdByInput {
  /** The other id as written in `alsoCalled`: `pr.ready?undo=true`. */
  readonly written: string;
  readonly id: string;
  readonly input: string;
  /**
   * The value that the input must have. Undefined if any value counts, and the input is then
   * kept.
   */
  readonly value: string | undefined;
}

/**
 * The operation that an id means together with one of its inputs, and the params without that
 * input.
 */
export interface MeantByInput {
  readonly written: string;
  readonly id: string;
  readonly params: Params;
}

const FORM = /^([^?]+)\?([^=]+)(?:=(.+))?$/u;

/** Normalises a name: `name-only`, `name_only` and `nameOnly` are the same input. */
function foldedName(name: string): string {
  return name.replaceAll(/[_-]/gu, "").toLowerCase();
}

function isMeant(given: unknown, { value }: IdByInput): boolean {
  return value === undefined || String(given).toLowerCase() === value;
}

/** Ids that mean another operation if an input has a certain value: `issue_read?method=get`. */
export class IdsByInput {
  readonly #byId = new Map<string, readonly IdByInput[]>();

  /** Adds another id of an operation, if it depends on an input. */
  add(written: string, id: string): boolean {
    const [, called = "", input = "", value] = FORM.exec(written) ?? [];
    if (called === "") return false;
    const added = { written, id, input: foldedName(input), value: value?.toLowerCase() };
    this.#byId.set(called, [...(this.#byId.get(called) ?? []), added]);
    return true;
  }

  /** Removes all such ids of an operation. */
  remove(id: string): void {
    for (const [called, all] of this.#byId) {
      const left = all.filter((each) => each.id !== id);
      if (left.length > 0) this.#byId.set(called, left);
      else this.#byId.delete(called);
    }
  }

  clear(): void {
    this.#byId.clear();
  }

  find(id: string, params: Params): MeantByInput | undefined {
    for (const each of this.#byId.get(id) ?? []) {
      const name = Object.keys(params).find(
        (key) => foldedName(key) === each.input && isMeant(params[key], each),
      );
      if (name === undefined) continue;
      if (each.value === undefined) return { written: each.written, id: each.id, params };
      const { [name]: _used, ...left } = params;
      return { written: each.written, id: each.id, params: left };
    }
    return undefined;
  }
}
