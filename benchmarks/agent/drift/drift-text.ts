import type { Change } from "./change.ts";
import type { Drift, Drifted } from "./compare-contracts.ts";

const MAX_SHOWN = 200;

function countedWord(count: number, one: string): string {
  return `${count} ${count === 1 ? one : `${one}s`}`;
}

function changeText({ side, path, what, isBreaking }: Change): string {
  const where = path === "" ? side : `${side} \`${path}\``;
  return `${where} ${what}${isBreaking ? " (breaks)" : ""}`;
}

function driftedLines({ name, changes, versions, isSilent }: Drifted): string[] {
  const [before, after] = versions;
  const version = before === after ? `still ${after}` : `${before} → ${after}`;
  const silent = isSilent ? ", **breaks and the version does not say so**" : "";
  return [`- \`${name}\` (${version}${silent})`, ...changes.map((one) => `  - ${changeText(one)}`)];
}

function listedNames(names: readonly string[], verb: string): string[] {
  return names.length === 0 ? [] : [`- ${verb}: ${names.map((name) => `\`${name}\``).join(", ")}`];
}

function bounded(lines: string[]): string[] {
  if (lines.length <= MAX_SHOWN) return lines;
  return [...lines.slice(0, MAX_SHOWN), `- and ${lines.length - MAX_SHOWN} lines more`];
}

/** The lines for one kind of contract: added, removed and changed. */
export function driftLines(what: string, { added, removed, changed }: Drift): string[] {
  const breaking = changed.filter(({ changes }) => changes.some(({ isBreaking }) => isBreaking));
  const silent = changed.filter(({ isSilent }) => isSilent);
  const counts = [
    `${added.length} added`,
    `${removed.length} removed`,
    `${changed.length} changed`,
    `${breaking.length + removed.length} breaking`,
    `${silent.length} of them without a new version`,
  ];
  return [
    `**${what}**: ${counts.join(", ")}.`,
    "",
    ...bounded([
      ...listedNames(added, "added"),
      ...listedNames(removed, "removed"),
      ...changed.flatMap(driftedLines),
    ]),
  ];
}

/** The text before the first release, when nobody depends on the contracts yet. */
export function firstLines(cards: number, envelopes: number): string[] {
  return [
    `There is no release yet, so there is nothing to compare with: ${countedWord(cards, "card")} and ${countedWord(envelopes, "schema")} of envelopes and cards are what the first release will promise.`,
  ];
}
