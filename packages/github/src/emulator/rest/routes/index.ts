import type { Routes } from "../call.ts";
import { actionRoutes } from "./actions.ts";
import { checkRoutes } from "./checks.ts";
import { commentRoutes } from "./comments.ts";
import { contentRoutes } from "./contents.ts";
import { gitRoutes } from "./git.ts";
import { gitWriteRoutes } from "./git-writes.ts";
import { issueRoutes } from "./issues.ts";
import { labelRoutes } from "./labels.ts";
import { peopleRoutes } from "./people.ts";
import { personalRoutes } from "./personal.ts";
import { projectRoutes } from "./projects.ts";
import { pullRoutes } from "./pulls.ts";
import { relationRoutes } from "./relations.ts";
import { releaseRoutes } from "./releases.ts";
import { repositoryRoutes } from "./repositories.ts";
import { reviewRoutes } from "./reviews.ts";
import { searchRoutes } from "./search.ts";
import { settingRoutes } from "./settings.ts";

/** Every operation of GitHub's REST API that the emulator answers. */
export const ROUTES: Routes = {
  ...actionRoutes,
  ...checkRoutes,
  ...commentRoutes,
  ...contentRoutes,
  ...gitRoutes,
  ...gitWriteRoutes,
  ...issueRoutes,
  ...labelRoutes,
  ...peopleRoutes,
  ...personalRoutes,
  ...projectRoutes,
  ...pullRoutes,
  ...relationRoutes,
  ...releaseRoutes,
  ...repositoryRoutes,
  ...reviewRoutes,
  ...searchRoutes,
  ...settingRoutes,
};
