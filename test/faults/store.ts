export interface Note {
  readonly id: string;
  readonly shelf: string;
  readonly text: string;
  readonly author: string;
  readonly createdAt: string;
}

/** One intended write of a request. The text of a note is unique to it. */
export interface Intent {
  readonly verb: "createNote" | "setNote" | "note" | "notes" | "shelfOf" | "viewer";
  readonly alias: string;
  readonly args: Readonly<Record<string, string>>;
  /** The idempotency key of the request, which this upstream honours. */
  readonly key?: string | undefined;
}

/** Shelves with this name show new notes only on a second page, which probes do not read. */
export const PAGED = "paged-";

/** A lookup of such a name finds nothing. */
export const ABSENT = "absent-";

/** The caller's identity. */
const CALLER = "caller";

export function isPaged({ verb, args }: Intent): boolean {
  return verb === "notes" && (args["shelf"] ?? "").startsWith(PAGED);
}

/** Formats a date with whole seconds, as most upstreams do. */
function dateText(date: Date): string {
  return new Date(Math.floor(date.getTime() / 1_000) * 1_000).toISOString();
}

function shelfNamed(name: string): { readonly id: string } | null {
  return name.startsWith(ABSENT) ? null : { id: name };
}

/** The upstream's state. It counts exactly how often each intended write was applied. */
export class Store {
  readonly #notes = new Map<string, Note[]>();
  /** When each text was written, by the clock of this process. */
  readonly #applied = new Map<string, number[]>();
  readonly #byKey = new Map<string, Note>();
  #count = 0;

  /** How often the note with this text was written. */
  applied(text: string): number {
    return this.#applied.get(text)?.length ?? 0;
  }

  /** When the note was written first. */
  appliedAt(text: string): number | undefined {
    return this.#applied.get(text)?.[0];
  }

  /** Adds a note that no call wrote. */
  seed(shelf: string, text: string, createdAt: Date, author: string = CALLER): void {
    this.#shelf(shelf).push({
      id: this.#nextId(),
      shelf,
      text,
      author,
      createdAt: dateText(createdAt),
    });
  }

  /** Applies the request; null if the object does not exist. */
  perform(intent: Intent): object | null {
    const { verb, args, key } = intent;
    const { id = "", shelf = "", text = "" } = args;
    if (verb === "viewer") return { login: CALLER };
    if (verb === "shelfOf") return shelfNamed(args["name"] ?? "");
    if (verb === "note")
      return { id, shelf, text: `note ${id}`, author: CALLER, createdAt: "2026-01-01T00:00:00Z" };
    if (verb === "notes") return isPaged(intent) ? [] : this.#shelf(shelf);
    const known = key === undefined ? undefined : this.#byKey.get(key);
    if (known !== undefined) return known;
    const note = this.#write(verb, shelf, text);
    if (key !== undefined) this.#byKey.set(key, note);
    return note;
  }

  #write(verb: "createNote" | "setNote", shelf: string, text: string): Note {
    this.#applied.set(text, [...(this.#applied.get(text) ?? []), performance.now()]);
    const notes = this.#shelf(shelf);
    const existing = verb === "setNote" ? notes.find((note) => note.text === text) : undefined;
    if (existing !== undefined) return existing;
    const note = {
      id: this.#nextId(),
      shelf,
      text,
      author: CALLER,
      createdAt: dateText(new Date()),
    };
    notes.push(note);
    return note;
  }

  #shelf(name: string): Note[] {
    let notes = this.#notes.get(name);
    if (notes === undefined) this.#notes.set(name, (notes = []));
    return notes;
  }

  #nextId(): string {
    this.#count += 1;
    return `n${this.#count}`;
  }
}
