import { isRecord } from "@waybill/core/schema";
import { describe, expect, it } from "vitest";
import { packSpecs } from "../cards.ts";

/** Inputs that say where or how to write, or that contain long text. */
const NOT_SHOWN =
  /^(?:owner|name|\w*(?:Number|Id)|body|notes|comment|comments|files|description|message|replyTo|from|target|targetCommitish|expectedHead|maintainerCanModify|readme|generateNotes|defaultBranchOnly|organization|homepage|has[A-Z]\w*|deleteBranchOnMerge|inputs|parent|path|line|commitTitle|commitMessage|side|start\w+|valueText|value\w+|clear|minimized|issueUrl|type)$/u;

/** Inputs that appear in the answer under GitHub's name for the result. */
const SHOWN_AS: Readonly<Record<string, readonly string[]>> = {
  addAssignees: ["assignees"],
  addLabels: ["labels"],
  agent: ["assignees"],
  answer: ["isAnswered"],
  base: ["baseRefName"],
  branch: ["name", "branch"],
  draft: ["isDraft", "draft"],
  event: ["state"],
  head: ["headRefName"],
  label: ["name", "label"],
  newName: ["name"],
  forkName: ["name"],
  prerelease: ["isPrerelease"],
  public: ["isPublic"],
  reason: ["stateReason", "reason", "locked"],
  removeAssignees: ["assignees"],
  removeLabels: ["labels"],
  secret: ["name"],
  stateReason: ["state"],
  tagName: ["tagName"],
  title: ["title", "name"],
  to: ["name"],
  variable: ["name"],
  visibility: ["visibility", "isPrivate"],
};

function readMembers(schema: unknown): string[] {
  const { properties } = isRecord(schema) ? schema : {};
  return isRecord(properties) ? Object.keys(properties) : [];
}

const writes = packSpecs().filter(({ exposed, effect }) => exposed !== false && effect === "write");

describe("outputs of writes", () => {
  it.each(writes.map((spec) => [spec.id, spec] as const))(
    "the output of %s contains every written value",
    (_, spec) => {
      const shown = new Set(readMembers(spec.outputSchema));
      const missing = readMembers(spec.inputSchema)
        .filter((name) => !NOT_SHOWN.test(name))
        .filter((name) => ![name, ...(SHOWN_AS[name] ?? [])].some((each) => shown.has(each)));
      expect(missing).toEqual([]);
    },
  );
});
