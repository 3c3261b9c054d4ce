/**
 * A name that goes out of scope is set to undefined and not deleted, because V8 copies a large map
 * on deletion.
 */
type Names = Map<string, number | undefined>;

/**
 * The node of each name at the current position. There is one map for all scopes and a list of
 * hidden names, so a lookup costs the same at any depth.
 */
export class Scopes {
  readonly #values: Names = new Map();
  readonly #types: Names = new Map();
  readonly #hidden: { map: Names; name: string; node: number | undefined }[] = [];

  enter(): number {
    return this.#hidden.length;
  }

  leave(mark: number): void {
    for (let place = this.#hidden.length; place-- > mark;) {
      const { map, name, node } = this.#hidden.pop()!;
      map.set(name, node);
    }
  }

  value(name: string): number | undefined {
    return this.#values.get(name);
  }

  /** Whether a value with this name was declared since the mark. */
  isDeclaredSince(name: string, mark: number): boolean {
    for (let place = this.#hidden.length; place-- > mark;) {
      const { map, name: declared } = this.#hidden[place]!;
      if (map === this.#values && declared === name) return true;
    }
    return false;
  }

  type(name: string): number | undefined {
    return this.#types.get(name);
  }

  declareValue(name: string, node: number): void {
    this.#declare(this.#values, name, node);
  }

  declareType(name: string, node: number): void {
    this.#declare(this.#types, name, node);
  }

  #declare(map: Names, name: string, node: number): void {
    this.#hidden.push({ map, name, node: map.get(name) });
    map.set(name, node);
  }
}
