import type { Source } from "./source.ts";

/** The same source with a place among others: who put it here, and what its ids may be. */
export function placedSource(
  source: Source,
  place: Pick<Source, "origin" | "anyIds" | "raw">,
): Source {
  const { name, route } = source;
  return {
    name,
    ...(route !== undefined && { route }),
    ...place,
    list: () => source.list(),
    load: () => source.load?.() ?? Promise.resolve(false),
    get isLoaded() {
      return source.isLoaded ?? true;
    },
    wordIndex: () => source.wordIndex?.(),
    describe: (id) => source.describe(id),
    runOf: (id) => source.runOf(id),
    problems: () => source.problems?.() ?? [],
    onChange: (listener) => source.onChange?.(listener) ?? (() => {}),
    close: () => source.close(),
  };
}
