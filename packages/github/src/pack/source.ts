import { cardOperation, lateSource, placedSource } from "@waybill/core/cards";
import type { Operation, Source } from "@waybill/core";
import type { CardRouteName, LateOperation, PreparedCard } from "@waybill/core/cards";
import { githubKit } from "./kit.ts";
import type { GithubKit } from "./kit.ts";
import type { GithubSurroundings } from "./surroundings.ts";
import { withCompleteInput } from "./complete-input.ts";
import { findMeantIds } from "./meant-ids.ts";
import { otherFields } from "./other-fields.ts";
import { stepForId } from "./id-steps.ts";
import { idInputs, otherIds } from "./other-ids.ts";
import type { GithubHost } from "./github-host.ts";
import { withPageNumbers } from "./page-numbers.ts";
import { releaseAssetOperations } from "./release-assets.ts";
import { withSameNames } from "./same-names.ts";
import { withRareFields } from "./rare-fields.ts";
import { setOperations } from "./set-operations.ts";
import { withLastPage } from "./last-page.ts";
import { WAIT_SUMMARY, waitOperation } from "./wait-for-run.ts";

function reordered(card: PreparedCard, first: CardRouteName | undefined): PreparedCard {
  if (first === undefined || !card.order.includes(first)) return card;
  return { ...card, order: [first, ...card.order.filter((route) => route !== first)] };
}

/** Adds to an operation the ids and field names that `gh` and GitHub's APIs use for it. */
function withOtherNames(operation: Operation): Operation {
  const { spec } = operation;
  const more = { otherFields: otherFields(spec), idInputs: idInputs(spec.id) };
  return { ...operation, spec: { ...spec, ...more } };
}

function withOtherIds({ summary, make }: LateOperation): LateOperation {
  const called = { ...summary, alsoCalled: otherIds(summary.id) };
  return { summary: called, make: () => withRareFields(make()) };
}

/**
 * All cards with the routes of a kit, and the operations that need code. A card is read when it is
 * first used.
 */
export function packSource(kit: GithubKit, prefer?: CardRouteName): Source {
  const source = lateSource("github", async () => {
    const { cards } = await import("./cards.ts");
    const operations = cards.summaries.map((summary) => ({
      summary,
      make: () => {
        const card = reordered(cards.cardById(summary.id)!, prefer);
        const operation = withCompleteInput(withPageNumbers(cardOperation(card, kit), card));
        return withLastPage(withOtherNames(withSameNames(operation)));
      },
    }));
    const wait = {
      summary: WAIT_SUMMARY,
      make: () => waitOperation(kit, cards.cardById("workflow.run.view")!.outputSchema),
    };
    const all = [...operations, ...setOperations(kit), ...releaseAssetOperations(kit), wait];
    return { operations: all.map(withOtherIds) };
  });
  const place = { origin: "pack", anyIds: true, meantIds: findMeantIds, stepForId } as const;
  const placed = placedSource(source, place);
  return { ...placed, close: () => kit.settled().then(() => source.close()) };
}

/** GitHub's capabilities, each with every route that GitHub offers for it. */
export function githubSource(place: GithubHost, around: GithubSurroundings): Source {
  return packSource(githubKit(place, around), around.prefer);
}
