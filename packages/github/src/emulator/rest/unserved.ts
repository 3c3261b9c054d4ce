import { loadDescription } from "../../description/index.ts";

/** Whether GitHub's description has an operation for a request. */
export async function isServedByGithub(method: string, path: string): Promise<boolean> {
  const { paths } = await loadDescription();
  return Object.entries(paths).some(
    ([template, operations]) =>
      Object.hasOwn(operations, method.toLowerCase()) && patternOf(template).test(path),
  );
}

function patternOf(template: string): RegExp {
  return new RegExp(`^${template.replaceAll(/\{\w+\}/g, "[^/]+")}$`);
}
