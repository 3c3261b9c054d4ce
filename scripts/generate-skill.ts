import { skillText } from "../packages/cli/src/skill/index.ts";

const TITLES = { lean: "The skill", indexed: "The skill with an index" };

/** The output of `waybill skill`, stored so that it can be reviewed. */
export function renderSkill(form: "lean" | "indexed"): string {
  return `# ${TITLES[form]}

<!-- Written by "npm run generate" from the cards and packages/cli/src/skill. Change them there. -->

\`\`\`text
${skillText({ form, door: "command" })}
\`\`\`
`;
}
