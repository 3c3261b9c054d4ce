/**
 * A name that is out of scope stays as undefined: of a large map V8 copies all for what is removed.
 */
type Names = Map<string, number | undefined>;

/**
 * Which node a name stands for at the place where the walk is. One map for all scopes and a list
 * of what they hid: looking a name up costs the same however deep it stands.
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

  /** Whether a value of this name was declared in the scope that began at the mark. */
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
