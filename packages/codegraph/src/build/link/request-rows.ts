import { GAP_KINDS, IMPORT_KINDS, NONE, PACKAGE_KINDS } from "../../graph/index.ts";
import type { Interner, REQUEST_COLUMNS } from "../../graph/index.ts";
import type { GapFact, Request } from "../modules/facts.ts";
import type { Target } from "../resolve/resolver.ts";

type Row = Record<(typeof REQUEST_COLUMNS)[number], number>;

/**
 * A gap (something that could not be read or resolved), with the request that caused it, if any.
 */
export type PlacedGap = GapFact & { readonly request?: Request };

/** The rows of requests that resolve to no file of the tree. */
export class RequestRows {
  readonly #strings: Interner;
  readonly #exotic: readonly string[];

  constructor(strings: Interner, exotic: readonly string[]) {
    this.#strings = strings;
    this.#exotic = exotic;
  }

  ofPackage(
    file: number,
    request: Request,
    { to, name }: Target & { to: "package" | "builtin" },
  ): Row {
    return {
      file,
      kind: PACKAGE_KINDS.indexOf(to),
      line: request.line,
      text: this.#strings.idOf(name),
      detail: this.#strings.idOf(request.specifier),
      ...this.#wayOf(request),
    };
  }

  ofGap(file: number, { kind, line, text, detail, request }: PlacedGap): Row {
    return {
      file,
      kind: GAP_KINDS.indexOf(kind),
      line,
      text: this.#strings.idOf(text),
      detail: this.#strings.idOf(detail),
      ...this.#wayOf(request),
    };
  }

  /** The number of a function that is used like `require`; 0 for none. */
  numberOf(by: string | undefined): number {
    return by === undefined ? 0 : this.#exotic.indexOf(by) + 1;
  }

  #wayOf(request: Request | undefined): Pick<Row, "symbol" | "way" | "typeOnly" | "by"> {
    return {
      symbol: NONE,
      way: request ? IMPORT_KINDS.indexOf(request.kind) : 0,
      typeOnly: request?.typeOnly === true ? 1 : 0,
      by: this.numberOf(request?.by),
    };
  }
}

export function getGap(request: Request, to: "outside" | "nowhere"): PlacedGap {
  const { line, specifier: text } = request;
  return to === "nowhere"
    ? { kind: "unresolved", line, text, detail: "no such file", request }
    : { kind: "unsupported", line, text, detail: "the file is not part of the tree", request };
}
