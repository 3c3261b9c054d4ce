import { loadConfig } from "@waybill/state";
import type { EffectiveConfig, SourceConfig, UntrustedSource } from "@waybill/state";
import type { RunCommand } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { note, printJson, printText, warn } from "../io.ts";
import { collisionText, operationCount } from "../sources/describe.ts";
import { emptyReport, readSource } from "../sources/read-source.ts";
import type { SourceReport } from "../sources/read-source.ts";
import { UsageError, unknownWord } from "../words/usage-error.ts";
import { orUsageError } from "../waybill/index.ts";

/** The requested sources: those that may be read, and those that need trust first. */
async function chosenSources(
  { sources, untrusted }: EffectiveConfig,
  [name, extra]: readonly string[],
): Promise<[string, SourceConfig | UntrustedSource][]> {
  if (extra !== undefined)
    throw new UsageError("waybill source check takes one name; pass none to check all sources");
  const all: [string, SourceConfig | UntrustedSource][] = Object.entries({
    ...untrusted,
    ...sources,
  });
  const found = name === undefined ? all : all.filter(([known]) => known === name);
  if (name === undefined || found.length > 0) return found;
  const names = all.map(([known]) => known);
  const message = `There is no source called ${name}`;
  throw await unknownWord(message, name, names, "waybill source list");
}

/** The report of an untrusted source. Nothing of it is read. */
function waiting(name: string, { kind, why, hint }: UntrustedSource): SourceReport {
  return { ...emptyReport(name, kind), failure: why, hint };
}

function isBroken({ failure, problems }: SourceReport): boolean {
  return failure !== undefined || problems.length > 0;
}

function reportLines(report: SourceReport): string[] {
  const { name, kind, operations, problems, unchecked, collisions, failure, hint } = report;
  if (failure !== undefined) {
    const advice = hint === undefined ? [] : [`  ${hint}`];
    return [`${name} ${kind} cannot be used: ${failure}`, ...advice];
  }
  return [
    `${name} ${kind} ${operationCount(operations)}`,
    ...problems.map((problem) => `  left out: ${problem}`),
    ...unchecked.map((sentence) => `  not checked: ${sentence}`),
    ...collisions.map((collision) => `  ${collisionText(collision)}`),
  ];
}

export const run: RunCommand = async ({ positionals, switches }, io) => {
  const effective = await orUsageError(loadConfig(io));
  await warn(io, effective.warnings);
  const reports = await Promise.all(
    (await chosenSources(effective, positionals)).map(async ([name, config]) =>
      "why" in config ? waiting(name, config) : readSource(io, effective, name, config),
    ),
  );
  if (switches.has("json")) await printJson(io, reports);
  else if (reports.length === 0)
    await note(io, "waybill: no source is configured here; add one with: waybill source add");
  else await printText(io, reports.flatMap(reportLines).join("\n"));
  return reports.some(isBroken) ? EXIT.failed : EXIT.ok;
};
