import { outsideText } from "@waybill/core/cards";
import { sourceText } from "@waybill/core/protocol";
import type { OperationSpec } from "@waybill/core";

const MAX_DESCRIPTION = 1_000;

/** What a tool does, and whose it is: a model should know whose words it reads. */
export function toolDescription({
  description,
  source,
  origin,
  needsTrust,
}: Pick<OperationSpec, "description" | "source" | "origin" | "needsTrust">): string {
  const words = outsideText(description, MAX_DESCRIPTION);
  const whose = sourceText({
    ...(source !== undefined && { source }),
    ...(origin !== undefined && { origin }),
    trusted: needsTrust === undefined,
  });
  return whose === undefined ? words : `${words} [source: ${whose}]`;
}
