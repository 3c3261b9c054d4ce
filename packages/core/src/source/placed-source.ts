import type { Source } from "./source.ts";

/** The same source with another origin and other rules for its ids. */
export function placedSource(
  source: Source,
  place: Pick<Source, "origin" | "anyIds" | "raw" | "meantIds" | "stepForId">,
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
