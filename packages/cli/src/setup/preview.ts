import type { Change } from "./changes.ts";

function textLines(text: string | undefined): string[] {
  if (text === undefined || text === "") return [];
  return text.replace(/\r?\n$/, "").split(/\r?\n/);
}

function commonStart(a: readonly string[], b: readonly string[]): number {
  const most = Math.min(a.length, b.length);
  let count = 0;
  while (count < most && a[count] === b[count]) count += 1;
  return count;
}

/** The changed lines. A file changes in one place, so they are between the equal start and end. */
function differing(change: Change): string[] {
  const [before, after] = [textLines(change.before), textLines(change.after)];
  const start = commonStart(before, after);
  const end = commonStart(before.slice(start).toReversed(), after.slice(start).toReversed());
  return [
    ...before.slice(start, before.length - end).map((line) => `- ${line}`),
    ...after.slice(start, after.length - end).map((line) => `+ ${line}`),
  ];
}

function getTitle({ path, before, after }: Change): string {
  if (before === undefined) return `new ${path}`;
  return after === undefined ? `deleted ${path}` : `changed ${path}`;
}

/** Shows the changes before they are written. */
export function preview(changes: readonly Change[]): string {
  return changes
    .map((change) => {
      const lines = change.after === undefined ? [] : differing(change);
      return [getTitle(change), ...lines.map((line) => `  ${line}`)].join("\n");
    })
    .join("\n\n");
}
