import { createHttpTransport } from "@waybill/adapters/http";
import type { ResultError } from "@waybill/core";
import { findGithub, readTokenScopes, tokenAbilities } from "@waybill/github";
import type { EffectiveConfig } from "@waybill/state";
import type { Io } from "../io.ts";
import { operationCount } from "../sources/describe.ts";
import { readSource } from "../sources/read-source.ts";
import { userAgent } from "../waybill/sources/surroundings.ts";
import { withWaybill } from "../waybill/index.ts";
import { tryNats } from "./doors.ts";
import { broken, errorText, missingFinding, ok } from "./finding.ts";
import type { Finding } from "./finding.ts";

const ROUTES = ["graphql", "rest", "cli"] as const;
const PATIENCE_MS = 20_000;

function routeHint(route: string, { code, details }: ResultError): string {
  if (typeof details?.["hint"] === "string") return details["hint"];
  return code === "NETWORK" || code === "TIMEOUT"
    ? "Check the network, then try again"
    : `See route ${route} above; calls use the other routes`;
}

async function tryRoutes(io: Io): Promise<Finding[]> {
  return withWaybill(
    io,
    (waybill) =>
      Promise.all(
        ROUTES.map(async (route) => {
          const options = { route, deadline_ms: PATIENCE_MS };
          const { ok: isDone, error } = await waybill.execute("user.me", {}, options);
          if (isDone) return ok(`online ${route}`, "GitHub answered user.me");
          return missingFinding(`online ${route}`, error.message, routeHint(route, error));
        }),
      ),
    { ids: ["user.me"] },
  );
}

const SHOWN_IDS = 3;

/** Counts the capabilities that these scopes allow, and names the scopes that the others need. */
function ability(scopes: readonly string[]): Finding {
  const { usable, total, lacking } = tokenAbilities(scopes);
  const says = `can call ${usable} of ${total} GitHub capabilities`;
  const parts = Object.entries(lacking).map(([scope, ids]) => {
    const more = ids.length > SHOWN_IDS ? ` and ${ids.length - SHOWN_IDS} more` : "";
    return `${scope} for ${ids.slice(0, SHOWN_IDS).join(", ")}${more}`;
  });
  if (parts.length === 0) return ok("online scopes", says);
  const fix = `gh auth refresh --scopes ${Object.keys(lacking).join(",")}`;
  return missingFinding("online scopes", `${says}; missing scopes: ${parts.join("; ")}`, fix);
}

/** The scopes of the token, from GitHub. */
async function askScopes(io: Io, { hosts, state }: EffectiveConfig): Promise<Finding[]> {
  const { env, cwd } = io;
  const place = await findGithub({ env, configured: hosts.github, state });
  const transport = createHttpTransport();
  const around = { env, cwd, transport, userAgent: userAgent() };
  try {
    const scopes = await readTokenScopes(place, around);
    if (scopes === undefined) {
      const says = "GitHub reports no scopes; a fine-grained token has permissions instead";
      return [ok("online token", says)];
    }
    return [
      ok("online token", `scopes ${scopes.toSorted().join(", ") || "none"}`),
      ability(scopes),
    ];
  } catch (thrown) {
    return [
      missingFinding("online token", errorText(thrown), "waybill doctor shows which token is used"),
    ];
  } finally {
    transport.close();
  }
}

async function trySources(io: Io, config: EffectiveConfig): Promise<Finding[]> {
  const reports = await Promise.all(
    Object.entries(config.sources).map(([name, source]) => readSource(io, config, name, source)),
  );
  return reports.map(({ name, operations, failure }) =>
    failure === undefined
      ? ok(`online ${name}`, operationCount(operations))
      : broken(`online ${name}`, failure, `waybill source check ${name}`),
  );
}

/** Checks that need requests: whether GitHub answers, and which operations sources have. */
export async function lookOnline(io: Io, config: EffectiveConfig): Promise<readonly Finding[]> {
  const github = config.packs.includes("github")
    ? [...(await tryRoutes(io)), ...(await askScopes(io, config))]
    : [];
  const nats = config.nats === undefined ? [] : [await tryNats(io)];
  return [...github, ...(await trySources(io, config)), ...nats];
}
