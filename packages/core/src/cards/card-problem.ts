import { lastPointerPart } from "./mapping/index.ts";

/** A problem of a card, and the place to fix it. */
export interface CardProblem {
  /** The file of the card. */
  readonly file: string;
  /** From 1; absent when the place is not known. */
  readonly line?: number;
  /** Such as `rest.body.title`; empty for the card as a whole. */
  readonly key: string;
  /** The problem, in a sentence. */
  readonly message: string;
}

/** Where a card comes from, so that its problems can be found. */
export interface CardLocation {
  readonly file: string;
  /** The line on which the value at a JSON pointer, or what is nearest to it, stands. */
  readonly locate?: (pointer: string) => number | undefined;
}

/** Describes a problem of a card at a place in its file. */
export function cardProblem(place: CardLocation, pointer: string, message: string): CardProblem {
  const line = place.locate?.(pointer);
  const key = lastPointerPart(pointer);
  return { file: place.file, ...(line === undefined ? {} : { line }), key, message };
}

/** `issue-create.yaml:12 rest.path: must begin with "/"`. */
export function formatProblem({ file, line, key, message }: CardProblem): string {
  const place = line === undefined ? file : `${file}:${line}`;
  return key === "" ? `${place} ${message}` : `${place} ${key}: ${message}`;
}
