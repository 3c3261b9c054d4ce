import { fail } from "@waybill/core";
import type { Attempt } from "@waybill/core";
import type { CardRequest, RouteAnswer } from "@waybill/core/cards";
import { headerIn } from "./incompleteness.ts";

/**
 * Headers that identify GitHub's answers. GitHub and GitHub Enterprise Server always send the
 * first. Other servers that act as GitHub send at least the second.
 */
const OWN_HEADERS = ["x-github-request-id", "x-ratelimit-resource"];

const NOT_OWN =
  "Something else answered instead of GitHub: the answer has no X-GitHub-Request-Id header. If a proxy is in between, let it pass that header on";

/**
 * Throws if an answer does not come from GitHub. A gateway or a sign-in service may answer with
 * status 200, which does not show whether a write was applied. So answers to writes and probes must
 * be GitHub's own. Programs such as `gh pr` show no headers, so their output is not checked.
 */
export function assertOwnAnswer(
  answer: RouteAnswer,
  { kind }: CardRequest,
  { effect, isProbe }: Attempt,
): void {
  const isChecked = kind !== "command" && (effect !== "read" || isProbe === true);
  if (!isChecked || OWN_HEADERS.some((name) => headerIn(answer, name) !== undefined)) return;
  throw fail("SERVER", NOT_OWN, { outcome: "unknown" });
}
