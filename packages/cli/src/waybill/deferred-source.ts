import type { Source } from "@waybill/core";

type Facts = Pick<Source, "name" | "route" | "origin" | "anyIds" | "raw">;

/** A source that is opened when it is first listed, because the command may not need it. */
export function deferredSource(facts: Facts, open: () => Promise<Source>): Source {
  let opening: Promise<Source> | undefined;
  let opened: Source | undefined;
  const listeners = new Set<() => void>();
  const begin = async (): Promise<Source> => {
    const source = await open();
    opened = source;
    source.onChange?.(() => listeners.forEach((listener) => listener()));
    return source;
  };
  const known = (): Source => {
    if (opened === undefined)
      throw new TypeError(
        `The source ${facts.name} has not been read yet; list its operations first`,
      );
    return opened;
  };
  return {
    ...facts,
    list: async () => (await (opening ??= begin())).list(),
    describe: (id) => known().describe(id),
    runOf: (id) => known().runOf(id),
    problems: () => opened?.problems?.() ?? [],
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: async () => opened?.close(),
  };
}
