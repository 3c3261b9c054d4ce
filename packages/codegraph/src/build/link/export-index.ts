import { NONE } from "../../graph/index.ts";
import type { ExportKind } from "../../graph/index.ts";
import type { ExportFact, ModuleFacts } from "../modules/facts.ts";
import type { FileTree } from "../resolve/tree.ts";
import type { SourceFile } from "./source-file.ts";

/** A name that a file offers, and what it was found to stand for. */
export interface ExportSlot {
  readonly file: number;
  fact: ExportFact;
  /** For a name that `export *` brings: the named export that it comes from. */
  readonly origin: ExportSlot | undefined;
  kind: ExportKind;
  /** Where it is defined; undefined where that is here or unknown. */
  definition: ExportSlot | undefined;
  row: number;
  isSettled: boolean;
}

/** How following a name may end without a definition. */
type Lost = "broken" | "external" | "cyclic";

/** A file that `export *` reaches, and the line by which it does. */
interface Brought {
  readonly from: number;
  readonly line: number;
  readonly typeOnly: boolean;
}

/** Bounds what chains of `export *` can bring; a tree that needs more has its tail left out. */
const MAX_STAR_STEPS = 4_000_000;

/** All names of all files, with `export *` unfolded and every hand-over followed to its end. */
export class ExportIndex {
  readonly #files: readonly SourceFile[];
  readonly #tree: FileTree;
  readonly #slots: Map<string, ExportSlot>[];
  /** Files that may offer more names than can be listed. */
  readonly #open: boolean[];
  #steps = 0;

  constructor(files: readonly SourceFile[], tree: FileTree) {
    this.#files = files;
    this.#tree = tree;
    this.#open = files.map(({ facts }) => !facts.hasExports);
    this.#slots = files.map(({ facts }, file) => namedSlots(file, facts.exports));
    const named = this.#slots.map((slots) => [...slots.values()]);
    for (const [file, { facts }] of files.entries()) {
      if (facts.stars.length > 0) this.#unfold(file, named);
    }
    for (const slots of this.#slots) for (const slot of slots.values()) this.#settle(slot);
  }

  inFile(file: number): Iterable<ExportSlot> {
    return this.#slots[file]!.values();
  }

  /** Takes over the lines of a file whose names are the same as before. */
  takeLines(file: number, before: ModuleFacts, now: ModuleFacts): void {
    const slots = this.#slots[file]!;
    const starLines = new Map(
      before.stars.map(({ line }, place) => [line, now.stars[place]!.line]),
    );
    for (const slot of slots.values()) {
      const line = slot.origin ? starLines.get(slot.fact.line) : undefined;
      if (line !== undefined) slot.fact = { ...slot.fact, line };
    }
    const named = namedSlots(file, now.exports);
    for (const [name, { fact }] of named) slots.get(name)!.fact = fact;
  }

  /** The definition that a name of a file stands for, where there is one. */
  definitionOf(file: number, name: string): ExportSlot | undefined {
    const slot = this.#find(file, name);
    if (!slot || slot.kind === "broken" || slot.kind === "cyclic") return undefined;
    return slot.definition ?? slot;
  }

  #find(file: number, name: string): ExportSlot | undefined {
    const slots = this.#slots[file]!;
    return slots.get(name) ?? slots.get("export=");
  }

  /** The file that a request of a file leads to. */
  #targetOf(file: number, request: number): number | undefined {
    const target = this.#files[file]!.targets[request];
    return target?.to === "file" ? this.#tree.idOf(target.path) : undefined;
  }

  /** Breadth first, so that the nearest of two equal names wins, as the first does in a file. */
  #unfold(file: number, named: readonly (readonly ExportSlot[])[]): void {
    const slots = this.#slots[file]!;
    const seen = new Set([file]);
    const pending: Brought[] = [{ from: file, line: 0, typeOnly: false }];
    for (const next of pending) {
      for (const star of this.#files[next.from]!.facts.stars) {
        const target = this.#targetOf(next.from, star.from);
        if (target === undefined || !this.#files[target]!.facts.hasExports) this.#open[file] = true;
        if (target === undefined || seen.has(target)) continue;
        if ((this.#steps += 1 + named[target]!.length) > MAX_STAR_STEPS) {
          this.#open[file] = true;
          return;
        }
        seen.add(target);
        const line = next.line || star.line;
        const brought = { from: target, line, typeOnly: next.typeOnly || star.typeOnly };
        pending.push(brought);
        bring(slots, file, named[target]!, brought);
      }
    }
  }

  /** Follows hand-overs in a loop, not by recursion: a chain may be as long as the tree is large. */
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

  /** The slot that this one hands on; itself where it is defined. */
  #nextOf(slot: ExportSlot): ExportSlot | Lost {
    if (slot.origin) return slot.origin;
    const { from, imported } = slot.fact;
    if (from === undefined || imported === "*") return slot;
    const target = this.#targetOf(slot.file, from);
    if (target === undefined) {
      return this.#files[slot.file]!.targets[from]?.to === "nowhere" ? "broken" : "external";
    }
    return this.#find(target, imported ?? "") ?? (this.#open[target] ? "external" : "broken");
  }
}

function namedSlots(file: number, facts: readonly ExportFact[]): Map<string, ExportSlot> {
  const slots = new Map<string, ExportSlot>();
  for (const fact of facts) {
    const known = slots.get(fact.name);
    // A type and a value may share a name; both together are a value.
    if (known && !(known.fact.typeOnly && !fact.typeOnly)) continue;
    const kind = fact.imported === "*" ? "namespace" : "local";
    slots.set(fact.name, newSlot(file, fact, kind));
  }
  return slots;
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

/** Settles a chain whose last slot was followed to `end`. */
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
