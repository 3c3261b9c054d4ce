import type { RunCommand } from "../command.ts";
import { lookAtConfiguration } from "../doctor/configuration.ts";
import { lookAtDoors } from "../doctor/doors.ts";
import type { Condition, Finding } from "../doctor/finding.ts";
import { lookAtGithub } from "../doctor/github.ts";
import { lookAtCodeGraph, lookAtConnections, lookAtNode, lookAtState } from "../doctor/machine.ts";
import { lookOnline } from "../doctor/online.ts";
import { lookAtRecords } from "../doctor/records.ts";
import { lookAtIsolation, lookAtReach, lookAtSecrets } from "../doctor/exposure.ts";
import { EXIT } from "../exit-codes.ts";
import { printJson, printText } from "../io.ts";
import type { Io } from "../io.ts";
import { UsageError } from "../words/usage-error.ts";

const SIGNS: Readonly<Record<Condition, string>> = {
  ok: "ok     ",
  off: "-      ",
  missing: "missing",
  broken: "broken ",
};

async function examine(io: Io, isOnline: boolean): Promise<readonly Finding[]> {
  const { config, findings } = await lookAtConfiguration(io);
  const [state, records, connections, graph, github] = await Promise.all([
    lookAtState(config),
    lookAtRecords(config),
    lookAtConnections(config, io.env),
    lookAtCodeGraph(),
    lookAtGithub(io, config),
  ]);
  const online = isOnline ? await lookOnline(io, config) : [];
  const isolation = await lookAtIsolation(config);
  const exposure = [...lookAtSecrets(io, config), ...lookAtReach(config), ...isolation];
  const doors = [...exposure, ...lookAtDoors(config, io)];
  const folder = [state, ...records, connections];
  return [lookAtNode(), ...github, ...findings, ...doors, ...folder, graph, ...online];
}

function findingLines({ name, condition, says, fix }: Finding): string[] {
  const line = `${SIGNS[condition]} ${name}: ${says}`;
  return fix === undefined ? [line] : [line, `        → ${fix}`];
}

/** Whether at least one source outside this machine can be called, and nothing is broken. */
function canCall(findings: readonly Finding[]): boolean {
  const isBroken = findings.some(({ condition }) => condition === "broken");
  const isReady = findings.some(
    ({ name, condition }) => condition === "ok" && /^(?:route|source) /.test(name),
  );
  return isReady && !isBroken;
}

export const run: RunCommand = async ({ positionals: [extra], switches }, io) => {
  if (extra !== undefined)
    throw new UsageError(
      `waybill doctor takes no arguments, but got ${JSON.stringify(extra)}; leave it out`,
    );
  const findings = await examine(io, switches.has("online"));
  const isGood = canCall(findings);
  if (switches.has("json")) await printJson(io, { ok: isGood, findings });
  else {
    const end = isGood
      ? "Waybill is ready for calls."
      : "Not ready for calls yet. The lines with → above say what to do.";
    await printText(io, [...findings.flatMap(findingLines), "", end].join("\n"));
  }
  return isGood ? EXIT.ok : EXIT.failed;
};
