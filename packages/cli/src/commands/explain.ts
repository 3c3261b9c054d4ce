import { explainText } from "@waybill/core";
import type { RunCommand } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { printJson, printText } from "../io.ts";
import { reportFailure } from "../report-failure.ts";
import { UsageError } from "../usage-error.ts";
import { withWaybill } from "../waybill/index.ts";

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
        await (switches.has("json") ? printJson(io, summary) : printText(io, explainText(summary)));
        return EXIT.ok;
      } catch (error) {
        return reportFailure(io, error, id);
      }
    },
    { ids: [id] },
  );
};
