import { explainText } from "@waybill/core/protocol";
import type { OperationCardSummary } from "@waybill/core";
import { findProjectConfig, findUserConfig } from "@waybill/state";
import { wantsJson } from "../output/wants-json.ts";
import type { RunCommand } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import type { ExitCode } from "../exit-codes.ts";
import { printJson, printText } from "../io.ts";
import type { Io } from "../io.ts";
import { UsageError } from "../words/usage-error.ts";
import { explainPacked } from "../waybill/explain-packed.ts";

/**
 * Without a configuration, the built-in pack explains a capability itself, which is faster than
 * opening a Waybill.
 */
async function packed({ cwd, env }: Io, id: string): Promise<OperationCardSummary | undefined> {
  const isConfigured =
    findProjectConfig(cwd, env) !== undefined || findUserConfig(env) !== undefined;
  return isConfigured ? undefined : explainPacked(id);
}

async function printSummary(
  io: Io,
  summary: OperationCardSummary,
  isJson: boolean,
): Promise<ExitCode> {
  await (isJson ? printJson(io, summary) : printText(io, explainText(summary)));
  return EXIT.ok;
}

async function explainConfigured(io: Io, id: string, isJson: boolean): Promise<ExitCode> {
  const { withWaybill } = await import("../waybill/index.ts");
  return withWaybill(
    io,
    async (waybill) => {
      try {
        return await printSummary(io, await waybill.explain(id), isJson);
      } catch (error) {
        const { reportFailure } = await import("../output/report-failure.ts");
        return reportFailure(io, error, id);
      }
    },
    { ids: [id] },
  );
}

export const run: RunCommand = async ({ positionals: [id, extra], switches }, io) => {
  if (id === undefined || extra !== undefined) {
    throw new UsageError("waybill capabilities explain needs one id", {
      hint: "waybill capabilities list",
    });
  }
  const isJson = wantsJson({ switches }, io);
  const summary = await packed(io, id);
  return summary === undefined
    ? explainConfigured(io, id, isJson)
    : printSummary(io, summary, isJson);
};
