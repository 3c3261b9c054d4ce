export { SKILL_DOORS, skillText } from "./skill-text.ts";
export type { SkillOptions } from "./skill-text.ts";
