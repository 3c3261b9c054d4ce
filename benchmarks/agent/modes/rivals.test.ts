import { expect, it } from "vitest";
import { readScenarios } from "../scenario/read.ts";
import { axiGap } from "./gh-axi.ts";
import { ghxGap } from "./ghx.ts";

const scenarios = new Map(readScenarios().map((scenario) => [scenario.id, scenario]));

it.each([
  ["issue-list", undefined, undefined],
  ["issue-view", "its issue view shows no labels", undefined],
  ["release-assets", "its release view shows no assets", "its release.view has no assets"],
  ["issue-create", undefined, "its issue.create takes no labels"],
  ["branch-list", undefined, "it has no branch.list"],
])(
  "the benchmark names the features that gh-axi and ghx lack for the scenario %s",
  (id, axi, ghx) => {
    const scenario = scenarios.get(id)!;
    expect([axiGap(scenario), ghxGap(scenario)]).toEqual([axi, ghx]);
  },
);
