import { fail } from "@waybill/core";
import { compareVersions } from "@waybill/core/cards";
import type { CardRequest, CardRoute, FactSource } from "@waybill/core/cards";
import { isPublic } from "./github-host.ts";
import type { GithubHost } from "./github-host.ts";

/**
 * Older versions of `gh` send the token of GH_ENTERPRISE_TOKEN to every host that they are
 * redirected to.
 */
const KEEPS_TOKEN = "2.32.0";

/** Whether GitHub answers with a redirect to the host that stores files. */
function isStored(request: CardRequest): boolean {
  return request.kind === "rest" && request.method === "GET" && request.path.endsWith("/logs");
}

/**
 * Storage hosts must not see the GitHub token, and refuse requests with one. So a `gh` that would
 * send it, which is an old version with a token from the environment, does not download stored
 * files of an Enterprise Server. The other routes do.
 */
export function storedFilesRoute(
  route: CardRoute,
  { host, ghToken }: GithubHost,
  facts: FactSource,
): CardRoute {
  if (isPublic(host) || ghToken === undefined) return route;
  const refuseOldVersion = async (): Promise<void> => {
    const { ghVersion } = await facts.facts(["ghVersion"]);
    if (ghVersion === undefined || compareVersions(ghVersion, KEEPS_TOKEN) >= 0) return;
    const message = `gh ${ghVersion} sends GH_ENTERPRISE_TOKEN to the storage host too; update gh to ${KEEPS_TOKEN} or run: gh auth login --hostname ${host}`;
    throw fail("ADAPTER_UNSUPPORTED", message, {
      outcome: "not_applied",
      preflight: "CLI_VERSION",
    });
  };
  return {
    ...route,
    describe: (request) => route.describe(request),
    async send(request, attempt) {
      if (isStored(request)) await refuseOldVersion();
      return route.send(request, attempt);
    },
  };
}
