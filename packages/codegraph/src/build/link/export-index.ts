import { NONE } from "../../graph/index.ts";
import type { ExportKind } from "../../graph/index.ts";
import type { ExportFact } from "../modules/facts.ts";
import type { FileTree } from "../resolve/tree.ts";
import { isSameExport } from "./shape.ts";
import type { SourceFile } from "./source-file.ts";

/** A slot: an exported name of a file, with its resolved definition. */
export interface ExportSlot {
  readonly file: number;
  fact: ExportFact;
  /** For a name from `export *`: the named export that it comes from. */
  readonly origin: ExportSlot | undefined;
  kind: ExportKind;
  /** The exported name that this one re-exports; undefined if it is defined here or unknown. */
  definition: ExportSlot | undefined;
  row: number;
  isSettled: boolean;
}

/** Why an exported name has no definition. */
type Lost = "broken" | "external" | "cyclic";

/** A file that `export *` reaches, with the line of the statement. */
interface Brought {
  readonly from: number;
  readonly line: number;
  readonly typeOnly: boolean;
}

/** The effect of an edit on exports: the files with changed names, and those names. */
export interface OtherNames {
  readonly files: readonly number[];
  readonly names: ReadonlySet<string>;
}

/** Limits the names that chains of `export *` can add. The rest is left out. */
const MAX_STAR_STEPS = 4_000_000;

/** All exported names of all files, with `export *` expanded and every re-export resolved. */
export class ExportIndex {
  readonly #files: SourceFile[];
  readonly #tree: FileTree;
  readonly #slots: Map<string, ExportSlot>[];
  /** Files that may export more names than can be listed. */
  readonly #open: boolean[];
  /** The files that re-export all of a file, computed at the first edit of names. */
  #starredBy: Map<number, number[]> | undefined;
  #steps = 0;

  constructor(files: readonly SourceFile[], tree: FileTree) {
    this.#files = files.slice();
    this.#tree = tree;
    this.#open = files.map(({ facts }) => !facts.hasExports);
    this.#slots = files.map(({ facts }, file) => namedSlots(file, facts.exports));
    const named = this.#slots.map((slots) => [...slots.values()]);
    for (const [file, { facts }] of files.entries()) {
      if (facts.stars.length > 0) this.#unfold(file, (from) => named[from]!);
    }
    for (const slots of this.#slots) for (const slot of slots.values()) this.#settle(slot);
  }

  inFile(file: number): Iterable<ExportSlot> {
    return this.#slots[file]!.values();
  }

  /** Updates the line numbers of a file whose names did not change. */
  takeLines(file: number, now: SourceFile): void {
    const slots = this.#slots[file]!;
    const before = this.#files[file]!;
    this.#files[file] = now;
    const starLines = new Map(
      before.facts.stars.map(({ line }, place) => [line, now.facts.stars[place]!.line]),
    );
    for (const slot of slots.values()) {
      const line = slot.origin ? starLines.get(slot.fact.line) : undefined;
      if (line !== undefined) slot.fact = { ...slot.fact, line };
    }
    const named = namedSlots(file, now.facts.exports);
    for (const [name, { fact }] of named) slots.get(name)!.fact = fact;
  }

  /**
   * Updates the names of a file whose `export *` statements did not change. Undefined if the
   * re-exports of other files may change.
   */
  takeNames(file: number, now: SourceFile): OtherNames | undefined {
    const before = this.#files[file]!;
    this.#files[file] = now;
    const files = [file, ...this.#handingOn(file)].toSorted((a, b) => a - b);
    const old = new Map(files.map((each) => [each, this.#slots[each]!]));
    const own = keptSlots(before, old.get(file)!, now, namedSlots(file, now.facts.exports));
    this.#slots[file] = own;
    for (const each of files) if (each !== file) this.#slots[each] = withoutStars(old.get(each)!);
    const names = new Set<string>();
    this.#steps = 0;
    for (const each of files) {
      this.#unfold(each, (from) => namedIn(this.#slots[from]!));
      takeKept(old.get(each)!, this.#slots[each]!, names);
    }
    if (names.has("export=") || this.#isForwarded(files, names)) return undefined;
    for (const each of files) for (const slot of this.inFile(each)) this.#settle(slot);
    return { files, names };
  }

  /** Renumbers rows. `moves` has the new row for each old one. */
  renumber(moves: Int32Array): void {
    for (const slots of this.#slots) {
      for (const slot of slots.values()) if (slot.row !== NONE) slot.row = moves[slot.row]!;
    }
  }

  /** Every file that re-exports all of a file, directly or through others. */
  #handingOn(file: number): Set<number> {
    this.#starredBy ??= this.#indexStars();
    const found = new Set<number>();
    const pending = [file];
    for (const next of pending) {
      for (const other of this.#starredBy.get(next) ?? []) {
        if (other === file || found.has(other)) continue;
        found.add(other);
        pending.push(other);
      }
    }
    return found;
  }

  #indexStars(): Map<number, number[]> {
    const found = new Map<number, number[]>();
    for (const [file, { facts }] of this.#files.entries()) {
      for (const star of facts.stars) {
        const target = this.#targetOf(file, star.from);
        if (target === undefined) continue;
        const known = found.get(target);
        if (known) known.push(file);
        else found.set(target, [file]);
      }
    }
    return found;
  }

  /** Whether a file re-exports one of the names explicitly. */
  #isForwarded(files: readonly number[], names: ReadonlySet<string>): boolean {
    for (const [file, slots] of this.#slots.entries()) {
      for (const slot of slots.values()) {
        const { from, imported } = slot.fact;
        if (from === undefined || imported === undefined || !names.has(imported)) continue;
        const target = this.#targetOf(file, from);
        if (target !== undefined && files.includes(target)) return true;
      }
    }
    return false;
  }

  /** The definition of an exported name, if there is one. */
  definitionOf(file: number, name: string): ExportSlot | undefined {
    const slot = this.#find(file, name);
    if (!slot || slot.kind === "broken" || slot.kind === "cyclic") return undefined;
    return slot.definition ?? slot;
  }

  #find(file: number, name: string): ExportSlot | undefined {
    const slots = this.#slots[file]!;
    return slots.get(name) ?? slots.get("export=");
  }

  /** The file that a request resolves to. */
  #targetOf(file: number, request: number): number | undefined {
    const target = this.#files[file]!.targets[request];
    return target?.to === "file" ? this.#tree.idOf(target.path) : undefined;
  }

  /** Breadth first, so that the nearest of two equal names wins. */
  #unfold(file: number, named: (file: number) => readonly ExportSlot[]): void {
    const slots = this.#slots[file]!;
    const seen = new Set([file]);
    const pending: Brought[] = [{ from: file, line: 0, typeOnly: false }];
    for (const next of pending) {
      for (const star of this.#files[next.from]!.facts.stars) {
        const target = this.#targetOf(next.from, star.from);
        if (target === undefined || !this.#files[target]!.facts.hasExports) this.#open[file] = true;
        if (target === undefined || seen.has(target)) continue;
        const slotsThere = named(target);
        if ((this.#steps += 1 + slotsThere.length) > MAX_STAR_STEPS) {
          this.#open[file] = true;
          return;
        }
        seen.add(target);
        const line = next.line || star.line;
        const brought = { from: target, line, typeOnly: next.typeOnly || star.typeOnly };
        pending.push(brought);
        bring(slots, file, slotsThere, brought);
      }
    }
  }

  /** Follows re-exports in a loop instead of recursion, because a chain can be very long. */
  #settle(start: ExportSlot): void {
    const chain: ExportSlot[] = [];
    const onChain = new Set<ExportSlot>();
    let end: ExportSlot | Lost = start;
    while (typeof end !== "string" && !end.isSettled) {
      chain.push(end);
      onChain.add(end);
      const next = this.#nextOf(end);
      if (next === end) break;
      end = typeof next !== "string" && onChain.has(next) ? "cyclic" : next;
    }
    settleChain(chain, end);
  }

  /** The slot that this one re-exports; the slot itself if it is defined there. */
  #nextOf(slot: ExportSlot): ExportSlot | Lost {
    if (slot.origin) return slot.origin;
    const { from, imported } = slot.fact;
    if (from === undefined || imported === "*") return slot;
    const target = this.#targetOf(slot.file, from);
    const found = target === undefined ? undefined : this.#find(target, imported ?? "");
    if (found && found !== slot) return found;
    if (slot.fact.orModule !== undefined && this.#leads(slot.file, slot.fact.orModule)) {
      slot.kind = "namespace";
      return slot;
    }
    if (target !== undefined) return found ?? this.#without(target, imported ?? "");
    return this.#files[slot.file]!.targets[from]?.to === "nowhere" ? "broken" : "external";
  }

  #leads(file: number, request: number): boolean {
    return this.#targetOf(file, request) !== undefined;
  }

  /** The result for a name that a file does not export. */
  #without(file: number, name: string): Lost {
    const isThere = this.#open[file] || this.#files[file]!.facts.bound?.includes(name);
    return isThere ? "external" : "broken";
  }
}

function exportKind({ imported, assigned }: ExportFact): ExportKind {
  if (assigned === true) return "assigned";
  return imported === "*" ? "namespace" : "local";
}

function namedSlots(file: number, facts: readonly ExportFact[]): Map<string, ExportSlot> {
  const slots = new Map<string, ExportSlot>();
  for (const fact of facts) {
    const known = slots.get(fact.name);
    // A type and a value may share a name. Together they count as a value.
    if (known && !(known.fact.typeOnly && !fact.typeOnly)) continue;
    slots.set(fact.name, newSlot(file, fact, exportKind(fact)));
  }
  return slots;
}

const namedIn = (slots: ReadonlyMap<string, ExportSlot>): ExportSlot[] =>
  [...slots.values()].filter(({ origin }) => !origin);

function withoutStars(slots: ReadonlyMap<string, ExportSlot>): Map<string, ExportSlot> {
  return new Map(namedIn(slots).map((slot) => [slot.fact.name, slot]));
}

/** Returns the slots of a changed file. Slots whose export did not change are reused. */
function keptSlots(
  before: SourceFile,
  old: ReadonlyMap<string, ExportSlot>,
  now: SourceFile,
  slots: ReadonlyMap<string, ExportSlot>,
): Map<string, ExportSlot> {
  const kept = new Map<string, ExportSlot>();
  for (const [name, slot] of slots) {
    const known = old.get(name);
    const isSame = known && !known.origin && isSameExport(before, known.fact, now, slot.fact);
    if (isSame) known.fact = slot.fact;
    kept.set(name, isSame ? known : slot);
  }
  return kept;
}

/** Reuses slots with the same meaning as before, and adds the other names to `names`. */
function takeKept(
  old: ReadonlyMap<string, ExportSlot>,
  slots: Map<string, ExportSlot>,
  names: Set<string>,
): void {
  for (const [name, slot] of slots) {
    const known = old.get(name);
    if (known === slot) continue;
    const isSame = known?.origin && known.origin === slot.origin;
    if (isSame && known.fact.typeOnly === slot.fact.typeOnly) {
      known.fact = slot.fact;
      slots.set(name, known);
    } else names.add(name);
  }
  for (const name of old.keys()) if (!slots.has(name)) names.add(name);
}

function newSlot(
  file: number,
  fact: ExportFact,
  kind: ExportKind,
  origin?: ExportSlot,
): ExportSlot {
  return { file, fact, origin, kind, definition: undefined, row: NONE, isSettled: false };
}

function bring(
  slots: Map<string, ExportSlot>,
  file: number,
  named: readonly ExportSlot[],
  { line, typeOnly }: Brought,
): void {
  for (const origin of named) {
    const { name } = origin.fact;
    if (name === "default" || name === "export=" || slots.has(name)) continue;
    const fact = { name, line, typeOnly: typeOnly || origin.fact.typeOnly };
    slots.set(name, newSlot(file, fact, "star", origin));
  }
}

/** Stores the definition `end` in all slots of a chain of re-exports, or why there is none. */
function settleChain(chain: readonly ExportSlot[], end: ExportSlot | Lost): void {
  if (end === "cyclic") {
    for (const slot of chain) [slot.isSettled, slot.kind] = [true, end];
    return;
  }
  const last = chain.at(-1);
  if (typeof end === "string" && last) [last.isSettled, last.kind] = [true, end];
  const target = typeof end === "string" ? last : end;
  if (target) for (const slot of chain) settleAs(slot, target);
}

function settleAs(slot: ExportSlot, end: ExportSlot): void {
  slot.isSettled = true;
  if (end === slot) return;
  slot.definition = end.definition ?? end;
  if (end.kind === "broken" || end.kind === "cyclic") slot.kind = end.kind;
  else if (slot.kind !== "star") slot.kind = "forwarded";
}
