import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { PreparedCard } from "@waybill/core/cards";
import { parse } from "yaml";
import { loadPack } from "./generate-cards.ts";
import { root } from "./run.mjs";

const INTRODUCTION = `# How GitHub writes settle

Look up how Waybill finds out whether a write was applied when its response is lost. It sends a probe: at most two reads, never of a search
index. This page lists what the probe of each capability looks for. Where the table
names two APIs and one cannot be reached, the probe uses the other. See [Safe writes](../guides/safe-writes.md).

| kind | the write counts as applied when |
| -- | -- |
| created | the probe finds one new object of this author and content |
| state | the object is as requested; another caller may have made the change |
| gone | the object is missing, and the place where it was can be read |
`;

const HEAD = "| capability | kind | read by |\n| -- | -- | -- |";
const ONE_API = "| capability | read by | why |\n| -- | -- | -- |";
const UNSETTLED = "| capability | why |\n| -- | -- |";

function apiNames({ verify }: PreparedCard): string {
  return [verify?.rest && "REST", verify?.graphql && "GraphQL"].filter(Boolean).join(", ");
}

function settlingRow(card: PreparedCard): string {
  return `| \`${card.id}\` | ${card.verify!.kind} | ${apiNames(card)} |`;
}

interface OneApi {
  readonly why: string;
  readonly capabilities: readonly string[];
}

/** The writes that only one API of GitHub shows, with the reason. */
async function oneApiRows(cards: readonly PreparedCard[]): Promise<string> {
  const text = await readFile(join(root, "packages/github/one-api-probes.yaml"), "utf8");
  const reasons = new Map(
    (parse(text) as OneApi[]).flatMap(({ why, capabilities }) =>
      capabilities.map((id) => [id, why] as const),
    ),
  );
  const listed = cards.filter(({ id }) => reasons.has(id));
  const rows = listed.map(
    (card) => `| \`${card.id}\` | ${apiNames(card)} | ${reasons.get(card.id)} |`,
  );
  return rows.toSorted().join("\n");
}

/** The table of all write capabilities of the pack, with the kind of their probe. */
export async function renderSettling(): Promise<string> {
  // A card that has both routes and steps has a probe for its routes.
  const writes = (await loadPack()).filter(
    ({ effect, steps, verify }) => effect !== "read" && (!steps || verify !== undefined),
  );
  const silent = writes.filter(({ verify }) => verify === undefined);
  if (silent.length > 0) {
    const ids = silent.map(({ id }) => id).join(", ");
    throw new Error(`These cards need a "verify", or its "unsettled" with the reason: ${ids}`);
  }
  const settled = writes.filter(({ verify }) => verify!.unsettled === undefined);
  const others = writes
    .filter(({ verify }) => verify!.unsettled !== undefined)
    .map(({ id, verify }) => `| \`${id}\` | ${verify!.unsettled} |`);
  const rows = settled.map(settlingRow).toSorted().join("\n");
  const note = "No probe can settle these. Their outcome stays `unknown`.";
  const single = `GitHub shows the result of these writes over one API only.\n\n${ONE_API}\n${await oneApiRows(settled)}`;
  return `${INTRODUCTION}\n${HEAD}\n${rows}\n\n## Over one API\n\n${single}\n\n## Without a probe\n\n${note}\n\n${UNSETTLED}\n${others.toSorted().join("\n")}\n`;
}
