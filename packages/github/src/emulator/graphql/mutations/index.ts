import type { TypeFields } from "../context.ts";
import { commentMutations } from "./comments.ts";
import { discussionMutations } from "./discussions.ts";
import { issueMutations } from "./issues.ts";
import { mutationFields } from "./mutation.ts";
import { projectMutations } from "./projects.ts";
import { pullMutations } from "./pulls.ts";
import { repositoryMutations } from "./repositories.ts";
import { reviewMutations } from "./reviews.ts";

export const mutationTypes: TypeFields = {
  Mutation: mutationFields({
    ...commentMutations,
    ...discussionMutations,
    ...issueMutations,
    ...projectMutations,
    ...pullMutations,
    ...repositoryMutations,
    ...reviewMutations,
  }),
};
