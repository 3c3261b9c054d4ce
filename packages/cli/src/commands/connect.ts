import { loadConfig, Seal } from "@waybill/state";
import type { EffectiveConfig, SourceConfig } from "@waybill/state";
import type { RunCommand } from "../command.ts";
import { connectSource } from "../connect/connect-source.ts";
import { whereKept } from "../connect/where-kept.ts";
import { EXIT } from "../exit-codes.ts";
import { printText, warn } from "../io.ts";
import { operationCount } from "../sources/describe.ts";
import { readSource } from "../sources/read-source.ts";
import { UsageError, unknownWord } from "../words/usage-error.ts";
import { orUsageError } from "../waybill/index.ts";

const GITHUB_HINT =
  "Set GITHUB_TOKEN, or run: gh auth login. waybill doctor shows which sign-in is used";

async function sourceCalled(
  name: string | undefined,
  { sources, untrusted }: EffectiveConfig,
): Promise<SourceConfig> {
  const names = Object.keys({ ...sources, ...untrusted });
  const hint = "waybill source list";
  if (name === undefined)
    throw new UsageError("waybill connect needs the name of a source", { hint });
  if (Object.hasOwn(sources, name)) return sources[name]!;
  if (Object.hasOwn(untrusted, name)) {
    const { why, hint: trust } = untrusted[name]!;
    throw new UsageError(`${name}: ${why}`, { hint: trust });
  }
  if (name === "github") throw new UsageError("GitHub needs no connect", { hint: GITHUB_HINT });
  throw await unknownWord(`There is no source called ${name}`, name, names, hint);
}

export const run: RunCommand = async (words, io) => {
  const [name, extra] = words.positionals;
  if (extra !== undefined)
    throw new UsageError("waybill connect takes one source; run it once for each");
  const effective = await orUsageError(loadConfig(io));
  await warn(io, effective.warnings);
  const config = await sourceCalled(name, effective);
  const { account } = await connectSource(words, io, effective, name!, config);
  const kept = whereKept(await new Seal({ env: io.env }).kind(), effective.state);
  const { operations, failure } = await readSource(io, effective, name!, config);
  if (failure !== undefined) await warn(io, [`${name} cannot be read yet: ${failure}`]);
  const lines = [
    `connected ${name} (account ${account}): ${operationCount(operations)}`,
    `its tokens are kept in ${kept}`,
  ];
  await printText(io, lines.join("\n"));
  return EXIT.ok;
};
