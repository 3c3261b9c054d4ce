/** Says what to do about a value that is not of the kind a field takes. */
export type OnWrong = (name: string, value: unknown, kind: string) => void;

/** Reads what a caller sent, by name. GraphQL has checked it before; REST hears of what is wrong. */
export class Input {
  readonly #values: Readonly<Record<string, unknown>>;
  readonly #onWrong: OnWrong;

  constructor(value: unknown, onWrong: OnWrong = () => {}) {
    this.#values = isInputObject(value) ? value : {};
    this.#onWrong = onWrong;
  }

  #complain(name: string, kind: string): undefined {
    const value = this.#values[name];
    if (value !== undefined && value !== null) this.#onWrong(name, value, kind);
    return undefined;
  }

  has(name: string): boolean {
    return this.#values[name] !== undefined;
  }

  isNull(name: string): boolean {
    return this.#values[name] === null;
  }

  raw(name: string): unknown {
    return this.#values[name];
  }

  names(): string[] {
    return Object.keys(this.#values);
  }

  text(name: string): string | undefined {
    const value = this.#values[name];
    return typeof value === "string" ? value : this.#complain(name, "string");
  }

  /** The string, or an empty one if it is missing; the caller decides what that means. */
  string(name: string): string {
    return this.text(name) ?? "";
  }

  isOn(name: string): boolean {
    return this.flag(name) === true;
  }

  /** The number, or zero, which is the number of nothing. */
  integer(name: string): number {
    return this.number(name) ?? 0;
  }

  /** Null says "take it away", which is not the same as saying nothing. */
  textOrNull(name: string): string | null | undefined {
    return this.isNull(name) ? null : this.text(name);
  }

  flag(name: string): boolean | undefined {
    const value = this.#values[name];
    return typeof value === "boolean" ? value : this.#complain(name, "boolean");
  }

  number(name: string): number | undefined {
    const value = this.#values[name];
    return typeof value === "number" ? value : this.#complain(name, "number");
  }

  texts(name: string): string[] | undefined {
    const value = this.#values[name];
    if (!Array.isArray(value)) return this.#complain(name, "array");
    return value.filter((one): one is string => typeof one === "string");
  }

  /** The strings to choose from; an empty list counts as missing. */
  choices(name: string): string[] | undefined {
    const texts = this.texts(name);
    return texts?.length === 0 ? undefined : texts;
  }

  /** The input below a name; empty if there is none. */
  child(name: string): Input {
    return new Input(this.#values[name], this.#onWrong);
  }

  children(name: string): Input[] {
    const value = this.#values[name];
    return Array.isArray(value) ? value.map((one) => new Input(one, this.#onWrong)) : [];
  }
}

export function isInputObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** An object without the keys that have no value, for inputs where absence means "leave it". */
export function given<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined);
  // Object.fromEntries forgets the keys it was given.
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> };
}
