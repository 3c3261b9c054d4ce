import { isRecord } from "@waybill/core/schema";
import type { OperationSpec, ResultEnvelope } from "@waybill/core";
import type { ProgramCall } from "@waybill/core/protocol";
import { largestPage, listMember, listProperties, findPaging } from "../surface/index.ts";
import type { Paging } from "../surface/index.ts";

type Input = Readonly<Record<string, unknown>>;

/** Inputs with which a program selects a page itself, without case and signs. */
const POSITIONS: ReadonlySet<string> = new Set([
  "after",
  "cursor",
  "page",
  "pagenumber",
  "offset",
  "skip",
  "startat",
  "startindex",
  "startcursor",
  "startingafter",
  "pagetoken",
  "nextpagetoken",
  "nexttoken",
  "nextcursor",
  "paginationtoken",
  "continuationtoken",
  "marker",
]);
/** Inputs with which a program limits the number of items. */
const SIZES: ReadonlySet<string> = new Set([
  "first",
  "limit",
  "perpage",
  "pagesize",
  "pagelimit",
  "maxresults",
  "maxitems",
]);

/** Whether one of these names is an input, in any way of writing: `pageToken`, `page_token`. */
function includesName(names: ReadonlySet<string>, name: string): boolean {
  return names.has(name.toLowerCase().replaceAll(/[^a-z]/gu, ""));
}

function sizeIn(input: Input): number | undefined {
  const sizes = Object.entries(input).filter(([name]) => includesName(SIZES, name));
  const size = sizes.map(([, value]) => value).find((value) => typeof value === "number");
  return size !== undefined && size >= 0 ? size : undefined;
}

/**
 * Removes sizes that the capability does not declare, such as `limit: 5`. The list is cut here
 * instead.
 */
export function withoutSizes({ inputSchema }: OperationSpec, input: Input): Input {
  const declared = listProperties(inputSchema);
  const isSize = ([name, value]: readonly [string, unknown]): boolean =>
    includesName(SIZES, name) &&
    !Object.hasOwn(declared, name) &&
    typeof value === "number" &&
    value >= 0;
  return Object.fromEntries(Object.entries(input).filter((entry) => !isSize(entry)));
}

/** Whether a program selects a page or a number of items itself. */
export function selectsPart(input: Input): boolean {
  return sizeIn(input) !== undefined || selectsPage(input);
}

function selectsPage(input: Input): boolean {
  return Object.entries(input).some(
    ([name, value]) => value !== undefined && includesName(POSITIONS, name),
  );
}

/** Reads a list page by page, to its end or up to a number of items. */
export class ListRead {
  readonly spec: OperationSpec;
  readonly #input: Input;
  /** Whether the program limits the number of items. */
  readonly #isSized: boolean;
  readonly #paging: Paging;
  readonly #wanted: number;
  readonly #isWhole: boolean;
  readonly #pages: ResultEnvelope[] = [];
  readonly #cursors = new Set<string>();
  #cursor: string | undefined;
  #count = 0;
  #isDone = false;

  constructor(spec: OperationSpec, input: Input, maxItems: number) {
    this.spec = spec;
    this.#paging = findPaging(spec);
    this.#input = withoutSizes(spec, input);
    this.#isSized = sizeIn(input) !== undefined;
    this.#isWhole = !selectsPage(input);
    this.#wanted = Math.min(maxItems, sizeIn(input) ?? Infinity);
  }

  get isDone(): boolean {
    return this.#isDone;
  }

  /** The call for the next page. */
  next(): ProgramCall {
    const { id } = this.spec;
    const cursor = this.#cursor;
    if (this.#paging === "first") {
      const after = cursor === undefined ? {} : { after: cursor };
      return { id, input: { ...this.#input, ...this.#size("first"), ...after } };
    }
    const page: ProgramCall["page"] = cursor === undefined ? undefined : { cursor };
    return { id, input: this.#input, ...(page !== undefined && { page }) };
  }

  /** The page size: the largest possible, or the program's limit. */
  #size(name: string): Input {
    const largest = largestPage(this.spec, name);
    if (!this.#isWhole || largest === undefined) return {};
    return { [name]: Math.max(1, Math.min(largest, this.#wanted - this.#count)) };
  }

  take(result: ResultEnvelope): void {
    this.#pages.push(result);
    this.#count += itemsIn(this.spec, result.data).length;
    const { pagination } = result.meta;
    const cursor = pagination?.has_next_page === true ? pagination.end_cursor : null;
    const isEnd = !result.ok || typeof cursor !== "string" || !this.#isWhole;
    // A repeated cursor ends the read, because the list would never end.
    this.#isDone = isEnd || this.#count >= this.#wanted || this.#cursors.has(cursor);
    if (this.#isDone || typeof cursor !== "string") return;
    this.#cursors.add(cursor);
    this.#cursor = cursor;
  }

  /** The failure of any page. A partial list is not returned. */
  get failure(): ResultEnvelope | undefined {
    return this.#pages.find(({ ok }) => !ok);
  }

  get items(): readonly unknown[] {
    const items = this.#pages.flatMap(({ data }) => itemsIn(this.spec, data));
    return items.slice(0, this.#wanted);
  }

  /**
   * Members of the list result besides its items. They are those of the last page, so that a token
   * of the next page in them does not lead back into the list.
   */
  get extras(): Readonly<Record<string, unknown>> {
    const last = this.#pages.at(-1);
    const member = listMember(this.spec);
    if (!isRecord(last?.data) || member === "") return {};
    const { pageInfo: _, [member ?? ""]: _items, ...others } = last.data;
    return others;
  }

  /** Whether there are more items than were read and the caller set no limit. */
  get isCut(): boolean {
    const last = this.#pages.at(-1);
    const hasMore = last?.meta.pagination?.has_next_page === true;
    return hasMore && this.#isWhole && !this.#isSized;
  }
}

function itemsIn(spec: OperationSpec, data: unknown): readonly unknown[] {
  const member = listMember(spec);
  const list = member === "" ? data : isRecord(data) ? data[member ?? ""] : undefined;
  return Array.isArray(list) ? (list as unknown[]) : [];
}
