import { configToEdit, editSources } from "@waybill/state";
import type { RunCommand } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { printText } from "../io.ts";
import { UsageError } from "../words/usage-error.ts";
import { orUsageError } from "../waybill/index.ts";

export const run: RunCommand = async ({ positionals: [name, extra], switches }, io) => {
  if (name === undefined || extra !== undefined) {
    throw new UsageError("waybill source remove needs one name", { hint: "waybill source list" });
  }
  const path = await configToEdit(io.cwd, io.env, switches.has("user"));
  await orUsageError(
    editSources(path, io.env, (sources) => {
      const { [name]: _removed, ...others } = sources;
      if (Object.hasOwn(sources, name)) return others;
      throw new UsageError(`${path} has no source called ${name}`, { hint: "waybill source list" });
    }),
  );
  await printText(io, `removed ${name} from ${path}`);
  return EXIT.ok;
};
