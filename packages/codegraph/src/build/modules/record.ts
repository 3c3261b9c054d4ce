import type { EcmaScriptModule, StaticExportEntry, StaticImport } from "oxc-parser";
import type { AssignedExport } from "./assigned-exports.ts";
import type { ModuleCalls } from "./calls.ts";
import type { ExportFact, GapFact, Request, StarFact, TakenName } from "./facts.ts";
import type { Lines } from "./lines.ts";
import type { ScriptSource } from "./scripts.ts";

type Place = { readonly start: number };
type Draft = Omit<Request, "line" | "column" | "confidence"> & Place;

const LITERAL = /^(["'`])((?:\\.|(?!\1)[^\\])*)\1$/s;
const MAX_GAP_TEXT = 200;

const isDefault = (kind: string): boolean => kind === "Default";

/** Collects the imports and exports of one file from the module record and its calls. */
export class RecordReader {
  readonly #text: string;
  readonly #lines: Lines;
  readonly #requests: Draft[] = [];
  readonly #exports: ExportFact[] = [];
  readonly #stars: StarFact[] = [];
  readonly #gaps: GapFact[] = [];
  /** The request at each specifier's position, for re-exports of an import. */
  readonly #byPlace = new Map<number, number>();

  constructor(text: string, lines: Lines) {
    this.#text = text;
    this.#lines = lines;
  }

  read(module: EcmaScriptModule): void {
    for (const statement of module.staticImports) this.#readImport(statement);
    for (const { start, end, entries } of module.staticExports) {
      for (const entry of entries) this.#readExport(entry, { start, end });
    }
    for (const { start, end, moduleRequest } of module.dynamicImports) {
      const source = this.#text.slice(moduleRequest.start, moduleRequest.end).trim();
      this.#readDynamic(source, { start, end });
    }
    for (const { start } of module.importMetas) this.#readUrl(start);
  }

  readCalls({ calls, unknown, exportAssignment }: ModuleCalls): void {
    for (const call of calls) {
      const { names = ["*"], typeOnly } = call;
      this.#request({ ...call, names: names.map((name) => ({ name, typeOnly })) });
    }
    for (const { start, end } of unknown) this.#gap(this.#text.slice(start, end), start);
    if (exportAssignment !== undefined) {
      const line = this.#lines.lineOf(exportAssignment);
      this.#exports.push({ name: "export=", line, typeOnly: false });
    }
  }

  readAssigned(exports: readonly AssignedExport[]): void {
    for (const { name, start } of exports) {
      const line = this.#lines.lineOf(start);
      this.#exports.push({ name, line, typeOnly: false, assigned: true });
    }
  }

  /** Adds the script files of a component. */
  readSources(sources: readonly ScriptSource[]): void {
    const names = [{ name: "*", typeOnly: false }];
    for (const source of sources) {
      this.#request({ ...source, kind: "import", typeOnly: false, names });
    }
  }

  /** All facts in text order. */
  finish(): { requests: Request[]; exports: ExportFact[]; stars: StarFact[]; gaps: GapFact[] } {
    const drafts = this.#requests;
    const gaps = this.#gaps.toSorted((a, b) => a.line - b.line);
    if (drafts.every(({ start }, place) => place === 0 || drafts[place - 1]!.start <= start)) {
      const requests = drafts.map((draft) => this.#placed(draft));
      return { requests, exports: this.#exports, stars: this.#stars, gaps };
    }
    const order = [...drafts.keys()].toSorted((a, b) => drafts[a]!.start - drafts[b]!.start);
    const after = new Map(order.map((before, place) => [before, place]));
    const moved = (from: number): number => after.get(from) ?? from;
    return {
      requests: order.map((place) => this.#placed(drafts[place]!)),
      exports: this.#exports.map((fact) =>
        fact.from === undefined ? fact : { ...fact, from: moved(fact.from) },
      ),
      stars: this.#stars.map((fact) => ({ ...fact, from: moved(fact.from) })),
      gaps,
    };
  }

  #placed({ specifier, kind, typeOnly, isInline, names, start, by, optional }: Draft): Request {
    const line = this.#lines.lineOf(start);
    const column = this.#lines.columnOf(start, line);
    return {
      specifier,
      kind,
      line,
      column,
      typeOnly,
      ...(typeOnly && isInline === true && { isInline }),
      confidence: "exact",
      names,
      ...(by && { by }),
      ...(optional === true && { optional }),
    };
  }

  #readImport({ start, moduleRequest, entries }: StaticImport): void {
    const names = entries.map(({ importName, isType }): TakenName => {
      const name = isDefault(importName.kind) ? "default" : (importName.name ?? "*");
      return { name, typeOnly: isType };
    });
    const isType = this.#isType(start);
    const typeOnly = names.length > 0 ? names.every((name) => name.typeOnly) : isType;
    const specifier = moduleRequest.value;
    const kind = "import";
    const place = this.#request({ specifier, kind, typeOnly, isInline: !isType, start, names });
    this.#byPlace.set(moduleRequest.start, place);
  }

  /** Whether a statement is type-only, even `import type {} from "x"`, which has no names. */
  #isType(start: number): boolean {
    return /^(?:import|export)\s+type\b(?!\s*["'])/.test(this.#text.slice(start, start + 40));
  }

  #readExport(entry: StaticExportEntry, statement: { start: number; end: number }): void {
    const { moduleRequest, exportName, importName, isType: typeOnly } = entry;
    const line = this.#lines.lineOf(entry.start);
    const name = isDefault(exportName.kind) ? "default" : exportName.name;
    if (!moduleRequest) {
      if (name !== null) this.#exports.push({ name, line, typeOnly });
      return;
    }
    const taken = importName.name ?? "*";
    const from = this.#handedOn(entry, statement, { name: taken, typeOnly });
    if (name === null) this.#stars.push({ from, line, typeOnly });
    else this.#exports.push({ name, line, typeOnly, from, imported: taken });
  }

  /** The request that an export comes from: its own `from`, or an earlier import. */
  #handedOn({ moduleRequest }: StaticExportEntry, { start }: Place, taken: TakenName): number {
    const specifier = moduleRequest?.value ?? "";
    const place = moduleRequest?.start ?? start;
    const known = this.#byPlace.get(place);
    if (known === undefined) {
      const { typeOnly } = taken;
      const isInline = !this.#isType(start);
      const draft = {
        specifier,
        kind: "reexport",
        typeOnly,
        isInline,
        start,
        names: [taken],
      } as const;
      const created = this.#request(draft);
      this.#byPlace.set(place, created);
      return created;
    }
    const request = this.#requests[known];
    if (request?.kind === "reexport") {
      const names = [...request.names, taken];
      const typeOnly = request.typeOnly && taken.typeOnly;
      this.#requests[known] = { ...request, names, typeOnly };
    }
    return known;
  }

  #readDynamic(source: string, { start, end }: { start: number; end: number }): void {
    const literal = LITERAL.exec(source)?.[2];
    if (literal === undefined || (source.startsWith("`") && literal.includes("${"))) {
      this.#gap(this.#text.slice(start, end), start);
      return;
    }
    const names = [{ name: "*", typeOnly: false }];
    this.#request({ specifier: literal, kind: "dynamic", typeOnly: false, start, names });
  }

  /**
   * Reads `new URL("./worker.js", import.meta.url)`, with which modules refer to workers and files.
   * A URL that ends with a slash, or only goes up, names a folder and loads nothing.
   */
  #readUrl(start: number): void {
    const before = this.#text.slice(Math.max(0, start - 300), start);
    const match = /\bnew\s+URL\(\s*(["'])(\.{1,2}\/[^"'\n]*[^"'\n/.])\1\s*,\s*$/.exec(before);
    const specifier = match?.[2];
    if (specifier === undefined || !this.#text.startsWith("import.meta.url", start)) return;
    const place = start - match![0].length;
    const names = [{ name: "*", typeOnly: false }];
    this.#request({ specifier, kind: "dynamic", typeOnly: false, start: place, names });
  }

  #request(draft: Draft): number {
    return this.#requests.push(draft) - 1;
  }

  #gap(text: string, start: number): void {
    const detail = "the loaded file is known only at run time";
    const line = this.#lines.lineOf(start);
    this.#gaps.push({ kind: "dynamic", line, text: text.slice(0, MAX_GAP_TEXT), detail });
  }
}
