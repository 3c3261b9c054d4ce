import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { CARD_ROUTES } from "@waybill/core/cards";
import type { CardRouteName, PreparedCard } from "@waybill/core/cards";
import { parse } from "yaml";
import { loadPack } from "./generate-cards.ts";
import { root } from "./run.mjs";

type Reasons = Readonly<Record<string, Partial<Record<CardRouteName, string>>>>;

const INTRODUCTION = `# GitHub capabilities

Look up the capabilities of the GitHub pack, and their routes. The first route of a row is tried
first. A test makes every call on every route, alone and in a chain, and compares the answers.
Inputs and outputs: \`waybill capabilities explain <id>\`. Everything else is found with
\`waybill capabilities search <words>\` among all operations of GitHub's REST API, as
\`github.<tag>.<operation>\`.
`;

/** The capabilities that are code and not cards. */
const IN_CODE = [
  "| `release.assets.download` | Download a file of a release | read | made of release.view and a download |",
  "| `release.assets.upload` | Upload a file to a release | write | made of release.view and an upload |",
  "| `secret.set` | Create or update an Actions secret of a repository | write | made of secret.key.view, secret.put |",
  "| `variable.set` | Create or update an Actions variable of a repository | write | made of variable.update, variable.create |",
  "| `workflow.run.wait` | Wait until a workflow run is completed, and show it | read | made of workflow.run.view |",
];

async function readReasons(): Promise<Reasons> {
  const text = await readFile(join(root, "packages/github/absent-routes.yaml"), "utf8");
  return parse(text) as Reasons;
}

function absent({ order, steps }: PreparedCard): readonly CardRouteName[] {
  return steps === undefined ? CARD_ROUTES.filter((route) => !order.includes(route)) : [];
}

/** Each capability needs a route or a reason for its absence, and never both. */
function problems(cards: readonly PreparedCard[], reasons: Reasons): string[] {
  const byId = new Map(cards.map((card) => [card.id, card]));
  const unexplained = cards.flatMap((card) =>
    absent(card)
      .filter((route) => reasons[card.id]?.[route] === undefined)
      .map((route) => `${card.id} has no ${route} route, and absent-routes.yaml does not say why`),
  );
  const idle = Object.entries(reasons).flatMap(([id, routes]) =>
    Object.keys(routes)
      .filter((route) => !byId.has(id) || byId.get(id)!.order.includes(route as CardRouteName))
      .map(
        (route) =>
          `absent-routes.yaml explains ${route} of ${id}, but the card has that route or does not exist`,
      ),
  );
  return [...unexplained, ...idle];
}

function versionNote({ parts }: PreparedCard): string {
  const part = parts.cli?.find((each) => "minVersion" in each && each.minVersion !== undefined);
  return part !== undefined && "minVersion" in part ? ` (from gh ${part.minVersion})` : "";
}

function row(card: PreparedCard, reasons: Reasons): string {
  const { id, effect, description, order, steps } = card;
  const routes =
    steps === undefined
      ? order.map((route) => (route === "cli" ? `cli${versionNote(card)}` : route)).join(", ")
      : `made of ${[...new Set(steps.calls.map(({ task }) => task))].join(", ")}`;
  const why = absent(card).map((route) => `no ${route}: ${reasons[id]?.[route] ?? ""}`);
  return `| \`${id}\` | ${description} | ${effect} | ${[routes, ...why].join("; ")} |`;
}

/**
 * The table of all capabilities of the pack with their routes, or the reason why one is missing.
 */
export async function renderGithubDocs(): Promise<string> {
  const [cards, reasons] = await Promise.all([loadPack(), readReasons()]);
  const wrong = problems(cards, reasons);
  if (wrong.length > 0) throw new Error(wrong.join("\n"));
  const head = "| capability | what it does | effect | routes |\n| -- | -- | -- | -- |";
  const rows = [...cards.map((card) => row(card, reasons)), ...IN_CODE].toSorted();
  return `${INTRODUCTION}\n${head}\n${rows.join("\n")}\n`;
}
