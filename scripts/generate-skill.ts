import { skillText } from "../packages/cli/src/skill/index.ts";

const TITLES = { lean: "The skill", indexed: "The skill with an index" };

const ABOUT = {
  lean: "`waybill skill` prints this form: the rules, and how ids are made.",
  indexed:
    "`waybill skill --indexed` prints this form, which also has the signatures of the capabilities that tasks use most. `setup` writes it.",
};

/** The output of `waybill skill`, stored so that it can be reviewed. */
export function renderSkill(form: "lean" | "indexed"): string {
  return `# ${TITLES[form]}

<!-- Written by "npm run generate" from the cards and packages/cli/src/skill. Change them there. -->

Read what an agent is told about Waybill. ${ABOUT[form]}

\`\`\`text
${skillText({ form, door: "command" })}
\`\`\`
`;
}
