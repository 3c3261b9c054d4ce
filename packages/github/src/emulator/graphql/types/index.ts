import type { TypeFields } from "../context.ts";
import { mutationTypes } from "../mutations/index.ts";
import { accountTypes } from "./accounts.ts";
import { checkTypes } from "./checks.ts";
import { reactionTypes } from "./common.ts";
import { discussionTypes } from "./discussions.ts";
import { eventTypes } from "./events.ts";
import { gitTypes } from "./git.ts";
import { issueTypes } from "./issues.ts";
import { labelTypes } from "./labels.ts";
import { projectTypes } from "./projects.ts";
import { pullTypes } from "./pulls.ts";
import { queryTypes } from "./query.ts";
import { refTypes } from "./refs.ts";
import { releaseTypes } from "./releases.ts";
import { repositoryTypes } from "./repositories.ts";
import { reviewTypes } from "./reviews.ts";

/**
 * The resolvers of every type. Connections and payloads need none, because they are plain values.
 */
export const TYPES: TypeFields = {
  ...accountTypes,
  ...checkTypes,
  ...discussionTypes,
  ...eventTypes,
  ...gitTypes,
  ...issueTypes,
  ...labelTypes,
  ...mutationTypes,
  ...projectTypes,
  ...pullTypes,
  ...queryTypes,
  ...reactionTypes,
  ...refTypes,
  ...releaseTypes,
  ...repositoryTypes,
  ...reviewTypes,
};
