import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { root as ours } from "../../../scripts/run.mjs";
import { driftSection } from "./index.ts";

const CARD = {
  id: "issue.view",
  version: "1.0.0",
  effect: "read",
  idempotent: true,
  inputSchema: { type: "object", properties: { number: { type: "integer" } } },
  outputSchema: { type: "object", properties: { title: { type: "string" } } },
};
const NEXT = {
  ...CARD,
  outputSchema: { type: "object", properties: { name: { type: "string" } } },
};
const ENVELOPE = { type: "object", required: ["ok"], properties: { ok: { type: "boolean" } } };

interface State {
  cards?: object[];
  envelopes?: object;
  version?: string;
  changeset?: string;
}

/** A repository with the files that drift is read from. */
function repository() {
  const root = mkdtempSync(join(tmpdir(), "waybill-drift-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const git = (...args: string[]) => execFileSync("git", args, { cwd: root, stdio: "ignore" });
  const put = (path: string, text: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  const write = ({ cards = [CARD], envelopes = { ResultEnvelope: ENVELOPE }, ...rest }: State) => {
    const lines = cards.map((card) => `${JSON.stringify(card)}\n`);
    put("packages/github/generated/cards.ndjson", lines.join(""));
    put("docs/reference/envelopes.json", JSON.stringify(envelopes));
    put("packages/core/package.json", JSON.stringify({ version: rest.version ?? "1.0.0" }));
    if (rest.changeset) put(".changeset/a.md", `---\n"@waybill/core": ${rest.changeset}\n---\n`);
  };
  const release = (tag: string): void => {
    git("add", ".");
    const person = ["-c", "user.name=t", "-c", "user.email=t@example.com"];
    git(...person, "commit", "--quiet", "--allow-empty", "--message", tag);
    git("tag", tag);
  };
  git("init", "--quiet");
  return { root, write, release };
}

describe("drift since the last release", () => {
  it("the drift report counts the cards and schemas that the first release will promise", () => {
    const { root, write, release } = repository();
    write({});
    release("started");
    expect(driftSection(root)).toContain("There is no release yet");
    expect(driftSection(root)).toContain("1 card and 1 schema");
  });

  it("the drift report compares with the newest version, not with the newest tag", () => {
    const { root, write, release } = repository();
    for (const tag of ["waybill@1.10.0", "waybill@1.9.0", "waybill@1.10.0-rc.1"]) {
      write({ version: tag });
      release(tag);
    }
    expect(driftSection(root)).toContain("Since waybill@1.10.0.");
    expect(driftSection(root)).toContain("**Cards**: 0 added, 0 removed, 0 changed, 0 breaking");
  });

  it("the drift report lists added, removed and changed cards, and marks breaking changes without a new version", () => {
    const { root, write, release } = repository();
    write({ cards: [CARD, { ...CARD, id: "issue.old" }, { ...CARD, id: "issue.raised" }] });
    release("waybill@1.0.0");
    write({
      cards: [
        { ...NEXT, effect: "write", idempotent: false },
        { ...CARD, id: "issue.new" },
        { ...NEXT, id: "issue.raised", version: "2.0.0" },
      ],
    });
    const text = driftSection(root);
    expect(text).toContain(
      "**Cards**: 1 added, 1 removed, 2 changed, 3 breaking, 1 of them without a new version.",
    );
    expect(text).toContain("- added: `issue.new`\n- removed: `issue.old`");
    expect(text).toContain(
      [
        "- `issue.view` (still 1.0.0, **breaks and the version does not say so**)",
        "  - input effect read → write (breaks)",
        "  - input no longer idempotent (breaks)",
        "  - output `title` removed (breaks)",
        "  - output `name` added",
        "- `issue.raised` (1.0.0 → 2.0.0)",
      ].join("\n"),
    );
  });

  it.each([
    ["1.4.0", "no", "still 1.4.0, **breaks"],
    ["1.4.0", "minor", "1.4.0 → 1.5.0, **breaks"],
    ["1.4.0", "major", "(1.4.0 → 2.0.0)"],
    ["0.4.0", "patch", "0.4.0 → 0.4.1, **breaks"],
    ["0.4.0", "minor", "(0.4.0 → 0.5.0)"],
  ])(
    "the drift report says whether a breaking envelope change fits the version %s (pending changeset: %s)",
    (version, changeset, text) => {
      const { root, write, release } = repository();
      write({ version });
      release(`waybill@${version}`);
      const envelopes = { ResultEnvelope: { ...ENVELOPE, required: [] } };
      write({ version, envelopes, ...(changeset !== "no" && { changeset }) });
      expect(driftSection(root)).toContain(text);
    },
  );

  it("the drift report compares with a given revision, and rejects a revision without the GitHub pack", () => {
    const { root, write, release } = repository();
    release("empty");
    write({});
    release("full");
    expect(driftSection(root, { since: "full" })).toContain("Since full.");
    expect(() => driftSection(root, { since: "empty" })).toThrow("empty has no packages/github");
    expect(() => driftSection(root, { since: "none" })).toThrow("none has no packages/github");
  });

  it("the drift report compares Waybill's repository with its last release", () => {
    expect(driftSection(ours)).toMatch(/There is no release yet|^Since waybill@/);
  });
});
