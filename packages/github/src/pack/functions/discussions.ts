import type { CardFunctions } from "@waybill/core/cards";
import { fail } from "@waybill/core";
import { over, present, stringParam } from "./typed.ts";
import type { Params } from "./typed.ts";

interface Category {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
}

/** The id of the given category. The error lists the existing ones. */
function discussionCategory(
  nodes: readonly (Category | null)[] | null | undefined,
  params: Params,
): string {
  const wanted = stringParam(params, "category")?.toLowerCase() ?? "";
  const categories = present(nodes);
  const found = categories.find(
    ({ id, name, slug }) =>
      [name.toLowerCase(), slug].includes(wanted) || id === params["category"],
  );
  if (found !== undefined) return found.id;
  const names = categories.map(({ name }) => name);
  throw fail(
    "NOT_FOUND",
    `There is no category ${wanted}. Categories: ${names.join(", ") || "none"}`,
    {
      outcome: "not_applied",
      did_you_mean: names,
    },
  );
}

interface Actor {
  readonly login: string;
  /** Only bots have an id here, because the query requests the id only for bots. */
  readonly id?: string;
}

/** The login of a bot in GraphQL. People and REST often use another form of it. */
function botLogin(name: string): string {
  const login = name.toLowerCase().replace(/^@|\[bot\]$/g, "");
  return login === "copilot" ? "copilot-swe-agent" : login;
}

function isAgentAssigned(logins: readonly (string | null)[], params: Params): boolean {
  return present(logins)
    .map(botLogin)
    .includes(botLogin(stringParam(params, "agent") ?? ""));
}

/** The bot in the inputs. */
function assignableBot(nodes: readonly (Actor | null)[] | null | undefined, params: Params): Actor {
  const login = botLogin(stringParam(params, "agent") ?? "");
  const bots = present(nodes).filter(({ id }) => id !== undefined);
  const found = bots.find((bot) => bot.login.toLowerCase() === login);
  if (found !== undefined) return found;
  const names = bots.map((bot) => bot.login);
  throw fail(
    "NOT_FOUND",
    `${login} cannot be assigned here. Bots that can be assigned: ${names.join(", ") || "none"}`,
    {
      outcome: "not_applied",
      did_you_mean: names,
      hint: "To assign people, use issue.assignees.add",
    },
  );
}

export const discussionFunctions: CardFunctions = {
  discussionCategory: over(discussionCategory),
  assignableBot: over(assignableBot),
  isAgentAssigned: over(isAgentAssigned),
};
