import type { EffectiveConfig } from "@waybill/state";
import type { Io } from "../io.ts";
import { counted } from "../sources/describe.ts";
import { readSource } from "../sources/read-source.ts";
import { withWaybill } from "../waybill/index.ts";
import { tryNats } from "./doors.ts";
import { broken, missing, ok } from "./finding.ts";
import type { Finding } from "./finding.ts";

const ROUTES = ["graphql", "rest", "cli"] as const;
const PATIENCE_MS = 20_000;

async function tryRoutes(io: Io): Promise<Finding[]> {
  return withWaybill(
    io,
    (waybill) =>
      Promise.all(
        ROUTES.map(async (route) => {
          const options = { route, deadline_ms: PATIENCE_MS };
          const { ok: isDone, error } = await waybill.execute("user.me", {}, options);
          if (isDone) return ok(`online ${route}`, "user.me was answered");
          return missing(
            `online ${route}`,
            error.message,
            `docs/reference/errors.md says what ${error.code} means`,
          );
        }),
      ),
    { ids: ["user.me"] },
  );
}

async function trySources(io: Io, config: EffectiveConfig): Promise<Finding[]> {
  const reports = await Promise.all(
    Object.entries(config.sources).map(([name, source]) => readSource(io, config, name, source)),
  );
  return reports.map(({ name, operations, failure }) =>
    failure === undefined
      ? ok(`online ${name}`, counted(operations))
      : broken(`online ${name}`, failure, `waybill source check ${name}`),
  );
}

/** What is only known by asking: whether GitHub answers, and what sources offer. */
export async function lookOnline(io: Io, config: EffectiveConfig): Promise<readonly Finding[]> {
  const github = config.packs.includes("github") ? await tryRoutes(io) : [];
  const nats = config.nats === undefined ? [] : [await tryNats(io)];
  return [...github, ...(await trySources(io, config)), ...nats];
}
