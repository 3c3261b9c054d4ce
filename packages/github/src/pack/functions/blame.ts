import type { CardFunctions } from "@waybill/core/cards";
import { getNumber, over, present } from "./typed.ts";
import type { Params } from "./typed.ts";

interface Range {
  readonly startingLine: number;
  readonly endingLine: number;
  readonly commit: {
    readonly oid: string;
    readonly messageHeadline: string;
    readonly committedDate: string;
    readonly author: {
      readonly name: string | null;
      readonly user: { readonly login: string } | null;
    } | null;
  };
}

/** The ranges that overlap the requested lines, limited to those lines. */
function blameRanges(ranges: readonly (Range | null)[] | null | undefined, params: Params): object {
  const first = getNumber(params, "startLine", 1);
  const last = getNumber(params, "endLine", Number.MAX_SAFE_INTEGER);
  return present(ranges)
    .filter(({ startingLine, endingLine }) => endingLine >= first && startingLine <= last)
    .map(({ startingLine, endingLine, commit }) => ({
      startLine: Math.max(startingLine, first),
      endLine: Math.min(endingLine, last),
      oid: commit.oid,
      message: commit.messageHeadline,
      author: commit.author?.user?.login ?? null,
      authorName: commit.author?.name ?? null,
      committedAt: commit.committedDate,
    }));
}

export const blameFunctions: CardFunctions = { blameRanges: over(blameRanges) };
