import { loadConfig } from "@waybill/local";
import type { EffectiveConfig, SourceConfig } from "@waybill/local";
import type { RunCommand } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { note, printJson, printText, warn } from "../io.ts";
import { counted } from "../sources/describe.ts";
import { readSource } from "../sources/read-source.ts";
import type { SourceReport } from "../sources/read-source.ts";
import { UsageError, unknownWord } from "../usage-error.ts";
import { orUsageError } from "../waybill/index.ts";

async function chosen(
  { sources }: EffectiveConfig,
  [name, extra]: readonly string[],
): Promise<[string, SourceConfig][]> {
  if (extra !== undefined) throw new UsageError("waybill source check takes one name");
  if (name === undefined) return Object.entries(sources);
  const config = Object.hasOwn(sources, name) ? sources[name] : undefined;
  if (config !== undefined) return [[name, config]];
  const message = `There is no source called ${name}`;
  throw await unknownWord(message, name, Object.keys(sources), "waybill source list");
}

function linesOf(report: SourceReport): string[] {
  const { name, kind, operations, problems, failure, hint } = report;
  if (failure !== undefined) {
    const advice = hint === undefined ? [] : [`  ${hint}`];
    return [`${name} ${kind} cannot be used: ${failure}`, ...advice];
  }
  return [
    `${name} ${kind} ${counted(operations)}`,
    ...problems.map((problem) => `  left out: ${problem}`),
  ];
}

export const run: RunCommand = async ({ positionals, switches }, io) => {
  const effective = await orUsageError(loadConfig(io));
  await warn(io, effective.warnings);
  const reports = await Promise.all(
    (await chosen(effective, positionals)).map(([name, config]) =>
      readSource(io, effective, name, config),
    ),
  );
  if (switches.has("json")) await printJson(io, reports);
  else if (reports.length === 0) await note(io, "waybill: no source is configured here");
  else await printText(io, reports.flatMap(linesOf).join("\n"));
  return reports.some(({ failure }) => failure !== undefined) ? EXIT.failed : EXIT.ok;
};
