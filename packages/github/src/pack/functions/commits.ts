import { fail } from "@waybill/core";
import type { CardFunctions } from "@waybill/core/cards";
import { over, stringParam } from "./typed.ts";
import type { Params } from "./typed.ts";

/** A file in a commit; null content deletes it. */
interface FileEdit {
  readonly path: string;
  readonly content: string | null;
  readonly encoding?: "utf-8" | "base64";
}

function base64({ content, encoding }: FileEdit): string {
  const text = content ?? "";
  return encoding === "base64" ? text : Buffer.from(text).toString("base64");
}

function fileChanges(files: readonly FileEdit[]): object {
  return {
    additions: files
      .filter(({ content }) => content !== null)
      .map((file) => ({ path: file.path, contents: base64(file) })),
    deletions: files.filter(({ content }) => content === null).map(({ path }) => ({ path })),
  };
}

/** Splits a message into its first line and its body. */
function commitMessage(message: string): object {
  const [headline = "", ...rest] = message.split("\n");
  const body = rest.join("\n").replace(/^\n+/u, "");
  return body === "" ? { headline } : { headline, body };
}

/** GraphQL returns null if the commit does not exist. */
function foundCommit(object: unknown, params: Params): unknown {
  if (object !== null) return object;
  throw fail(
    "NOT_FOUND",
    `There is no commit at ${stringParam(params, "ref") ?? "the default branch"}`,
    { hint: "Pass a branch, a tag or the SHA of a commit as ref" },
  );
}

export const commitFunctions: CardFunctions = {
  fileChanges: over(fileChanges),
  fileContent: over(base64),
  commitMessage: over(commitMessage),
  foundCommit,
};
