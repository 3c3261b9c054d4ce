import type { OperationCardSummary } from "@waybill/core";
import type { RunCommand } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { printJson, printText } from "../io.ts";
import { reportFailure } from "../report-failure.ts";
import { UsageError } from "../usage-error.ts";
import { withWaybill } from "../waybill/index.ts";

/** Most inputs are text, so a name without a type says so in fewer tokens. */
function short(input: string): string {
  return input.replace(/:string(?==|$)/, "");
}

function optional(input: string): string {
  return short(input).replace(/^[^:=]+/, "$&?");
}

/** The same facts as the JSON, in the few lines an agent pays for. */
function compact(summary: OperationCardSummary): string {
  const { required_inputs, optional_inputs, output_fields, notes = [] } = summary;
  const inputs = [...required_inputs.map(short), ...optional_inputs.map(optional)];
  const routes = [summary.preferred_route, ...summary.fallback_routes];
  return [
    `${summary.capability_id} (${summary.effect}) ${summary.purpose}`,
    `in: ${inputs.join(", ") || "nothing"}`,
    `out: ${output_fields.join(", ") || "anything"}`,
    `via: ${routes.join(", ")}`,
    ...notes.map((text) => `note: ${text}`),
  ].join("\n");
}

export const run: RunCommand = async ({ positionals: [id, extra], switches }, io) => {
  if (id === undefined || extra !== undefined) {
    throw new UsageError("waybill capabilities explain needs one id", {
      hint: "waybill capabilities list",
    });
  }
  return withWaybill(
    io,
    async (waybill) => {
      try {
        const summary = await waybill.explain(id);
        await (switches.has("json") ? printJson(io, summary) : printText(io, compact(summary)));
        return EXIT.ok;
      } catch (error) {
        return reportFailure(io, error, id);
      }
    },
    [id],
  );
};
