/** A variable that must be set before a source can be used. */
export interface NeededVariable {
  readonly name: string;
  readonly description?: string;
}

/** Values for the variables that an editor fills into a file. */
export interface ReferenceScope {
  readonly folder: string;
  readonly home: string;
  /** Descriptions of VS Code's inputs, by id. */
  readonly inputs: ReadonlyMap<string, string>;
}

const REFERENCE = /\$\{([^}]+)\}/gu;

function inputVariable(id: string): string {
  return id.replaceAll(/\W+/gu, "_").toUpperCase();
}

/** Rewrites references to Waybill's form, and records which variables they need. */
export class References {
  readonly #scope: ReferenceScope;
  readonly #needed = new Map<string, NeededVariable>();

  constructor(scope: ReferenceScope) {
    this.#scope = scope;
  }

  get needed(): NeededVariable[] {
    return [...this.#needed.values()];
  }

  /**
   * Rewrites `${NAME}`, `${NAME:-default}`, `${env:NAME}`, `${input:id}` and `${workspaceFolder}`.
   */
  rewrite(text: string): string {
    return text.replaceAll(REFERENCE, (whole, reference: string) => {
      if (reference === "workspaceFolder") return this.#scope.folder;
      if (reference === "userHome") return this.#scope.home;
      if (reference.startsWith("input:")) return this.#input(reference.slice("input:".length));
      return this.#variable(reference.replace(/^env:/u, "")) ?? whole;
    });
  }

  #variable(reference: string): string | undefined {
    const [, name = "", otherwise] = /^([A-Za-z_]\w*)(:-.*)?$/u.exec(reference) ?? [];
    if (name === "") return undefined;
    if (otherwise === undefined && !this.#needed.has(name)) this.#needed.set(name, { name });
    return `\${env:${name}${otherwise ?? ""}}`;
  }

  /** An input that an editor would ask for becomes an environment variable. */
  #input(id: string): string {
    const name = inputVariable(id);
    const description = this.#scope.inputs.get(id);
    this.#needed.set(name, description === undefined ? { name } : { name, description });
    return `\${env:${name}}`;
  }
}
