import { lastPointerPart } from "./mapping/index.ts";

/** A problem of a card, with its position in the file. */
export interface CardProblem {
  /** The file of the card. */
  readonly file: string;
  /** Counted from 1. Absent if the position is not known. */
  readonly line?: number;
  /** The position in the card, such as `rest.body.title`; empty for the card as a whole. */
  readonly key: string;
  /** The problem, in a sentence. */
  readonly message: string;
}

/** Where a card comes from, used to report the position of its problems. */
export interface CardLocation {
  readonly file: string;
  /**
   * Returns the line of the value at a JSON pointer. If there is no such value, returns the line
   * of the nearest one.
   */
  readonly locate?: (pointer: string) => number | undefined;
}

/** Describes a problem of a card with its position in the file. */
export function cardProblem(place: CardLocation, pointer: string, message: string): CardProblem {
  const line = place.locate?.(pointer);
  const key = lastPointerPart(pointer);
  return { file: place.file, ...(line === undefined ? {} : { line }), key, message };
}

/** Writes a problem as one line, such as `issue-create.yaml:12 rest.path: must begin with "/"`. */
export function formatProblem({ file, line, key, message }: CardProblem): string {
  const place = line === undefined ? file : `${file}:${line}`;
  return key === "" ? `${place} ${message}` : `${place} ${key}: ${message}`;
}
