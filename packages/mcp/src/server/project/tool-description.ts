import { outsideText } from "@waybill/core/cards";
import { sourceText } from "@waybill/core/protocol";
import type { OperationSpec } from "@waybill/core";

const MAX_DESCRIPTION = 1_000;

/** The description of a tool, followed by its source, so that a model knows whose text it reads. */
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
