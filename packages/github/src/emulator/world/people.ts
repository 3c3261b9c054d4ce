import type { IssueType, Organization, User } from "../store/model.ts";
import type { Seed } from "./seed.ts";

export interface People {
  readonly octocat: User;
  readonly monalisa: User;
  readonly hubot: User;
  readonly octo: Organization;
}

const ISSUE_TYPES = [
  ["Task", "YELLOW", "A specific piece of work"],
  ["Bug", "RED", "An unexpected problem or behavior"],
  ["Feature", "BLUE", "A request, idea, or new functionality"],
] as const;

export function seedPeople(seed: Seed): People {
  const octocat = seed.person("octocat", "The Octocat", {
    bio: "A cat with arms",
    location: "San Francisco",
  });
  const monalisa = seed.person("monalisa", "Mona Lisa", { company: "@octo" });
  const hubot = seed.person("hubot", "Hubot");
  const octo = seed.organization("octo", "Octo", [octocat, monalisa]);
  for (const [name, color, description] of ISSUE_TYPES) {
    const facts = { owner: octo, name, color, description, isEnabled: true };
    octo.issueTypes.push(seed.store.create<IssueType>("IssueType", facts));
  }
  return { octocat, monalisa, hubot, octo };
}
