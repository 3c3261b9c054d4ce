import { defineOperation, fail } from "@waybill/core";
import type { Operation } from "@waybill/core";

/**
 * Replaces a tool that has changed since its user trusted it. The server's new text is not
 * shown, because an agent would read it.
 */
export function waitingTool(id: string, source: string, command: string): Operation {
  const needsTrust = `${id} has changed since ${source} was trusted. To see what changed run: waybill source check ${source}. To trust it run: ${command}`;
  const { spec, run } = defineOperation({
    id,
    description: "Needs trust: the server changed the description of this tool",
    effect: "write",
    handler: () => {
      throw fail("POLICY", needsTrust, { outcome: "not_applied" });
    },
  });
  return { spec: { ...spec, exposed: false, needsTrust }, run };
}
