/** A function that handles a value of the wrong type. */
export type OnWrong = (name: string, value: unknown, kind: string) => void;

/** Reads the caller's input by name. GraphQL has validated it already; REST reports wrong types. */
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

  /** The string; empty if it is missing. */
  string(name: string): string {
    return this.text(name) ?? "";
  }

  isOn(name: string): boolean {
    return this.flag(name) === true;
  }

  /** The number; 0 if it is missing, because no object has the number 0. */
  integer(name: string): number {
    return this.number(name) ?? 0;
  }

  /** Null means "remove it"; undefined means "keep it". */
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

  /** The list of strings; undefined if it is empty or missing. */
  choices(name: string): string[] | undefined {
    const texts = this.texts(name);
    return texts?.length === 0 ? undefined : texts;
  }

  /** The nested input; empty if there is none. */
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

/** The object without undefined members, for inputs where an absent member means "keep it". */
export function given<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined);
  // The type of Object.fromEntries loses the keys.
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> };
}
