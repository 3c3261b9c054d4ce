import type { EffectiveConfig } from "@waybill/state";

/** The kind of each source by its name, as the page shows it. */
export function sourceKinds({ sources, packs }: EffectiveConfig): Record<string, string> {
  const configured = Object.entries(sources).map(([name, { kind }]) => [name, kind]);
  const built = packs.map((name) => [name, "pack"]);
  return Object.fromEntries([...built, ["graph", "code graph"], ...configured]) as Record<
    string,
    string
  >;
}
