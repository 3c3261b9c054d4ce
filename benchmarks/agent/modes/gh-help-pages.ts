import { githubFieldNames } from "./github-schema.ts";

/** A `gh` command at the start of a line or inside of one. */
const COMMAND =
  /(?:^|\$\(|[;|] |do |xargs -I\{\} )gh (?<words>[a-z]+(?: [a-z]+)?)(?<rest>[^]*?)(?=\$\(gh |(?:[;|]|do|xargs -I\{\}) gh |$)/g;

function getPages(words: string, rest: string): string[] {
  const [group = "", command] = words.split(" ");
  if (group === "api") return ["gh api --help"];
  if (command === undefined) throw new Error(`gh ${words} names no command of a group`);
  const [, fields = ""] = / --json ([\w,]+)/.exec(rest) ?? [];
  const known = githubFieldNames();
  const isKnown = fields.split(",").every((name) => name === "" || known.has(name));
  return [
    `gh ${group} --help`,
    `gh ${group} ${command} --help`,
    ...(isKnown ? [] : [`gh ${group} ${command} --json`]),
  ];
}

/**
 * The help pages that a first-time user of these lines reads after the overview: the page of the
 * group, the page of its command and, if a requested field has another name than in GitHub's
 * schema, the list of fields. Other lines use `gh api`, which has one page.
 */
export function helpPages(lines: readonly string[]): string[] {
  const pages = lines.flatMap((line) => {
    const found = [...line.matchAll(COMMAND)];
    if (found.length === 0 || !/^(?:gh|for) /u.test(line)) {
      throw new Error(`no help of gh can be derived for: ${line}`);
    }
    return found.flatMap(({ groups }) => getPages(groups?.["words"] ?? "", groups?.["rest"] ?? ""));
  });
  return [...new Set(pages)];
}
