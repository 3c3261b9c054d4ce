import { describe, expect, it } from "vitest";
import { defineOperation } from "../operation/index.ts";
import type { OperationSummary } from "../operation/index.ts";
import { OperationRegistry } from "../execute/index.ts";
import { attachSource, localSource } from "./index.ts";
import type { Source } from "./index.ts";

const operation = (id: string) =>
  defineOperation({ id, description: "Answers", effect: "read", handler: () => id });

const source = localSource("a", [operation("a.one"), operation("a.two")]);

const nothing = (): void => {};

type Answer = (ids: readonly string[] | Error) => void;

/** A source whose lists are answered by the test, in any order. */
function byHand() {
  const answers: Answer[] = [];
  let listener = nothing;
  const asked: Source = {
    ...source,
    list: () =>
      new Promise((resolve, reject) => {
        answers.push((ids) => {
          if (ids instanceof Error) reject(ids);
          else resolve(localSource("a", ids.map(operation)).list());
        });
      }),
    onChange(changed) {
      listener = changed;
      return () => {};
    },
  };
  return { asked, answers, change: () => listener() };
}

const settled = () => new Promise((resolve) => setTimeout(resolve));

describe("sources with invalid lists", () => {
  it.each([null, undefined, 7, {}])(
    "a source keeps its valid operations if its list also contains %j",
    async (odd) => {
      const [one, two] = await source.list();
      const summaries = [one, odd, two] as OperationSummary[];
      const registry = new OperationRegistry();
      const attached = await attachSource(registry, { ...source, list: async () => summaries });
      expect(attached.ids).toEqual(["a.one", "a.two"]);
      expect(attached.problems).toMatchObject([{ source: "a" }]);
      attached.forget();
      expect(registry.size).toBe(0);
    },
  );

  it("a source keeps its operations if the list after a change is null", async () => {
    const lists: unknown[] = [await source.list(), null];
    let changed = nothing;
    const onChange = (listener: () => void) => {
      changed = listener;
      return () => {};
    };
    const list = async () => lists.shift() as OperationSummary[];
    const registry = new OperationRegistry();
    await attachSource(registry, { ...source, list, onChange });
    changed();
    await settled();
    expect(registry.size).toBe(2);
  });
});

describe("sources that change twice", () => {
  it.each([
    [
      "has the list of the later change, even if the earlier list arrives last",
      ["a.new"],
      ["a.new"],
    ],
    ["has the list of the earlier change if the later list fails", new Error("gone"), ["a.old"]],
  ])("a source whose list changes twice %s", async (_what, later, ids) => {
    const { asked, answers, change } = byHand();
    const registry = new OperationRegistry();
    const attaching = attachSource(registry, asked);
    answers[0]!(["a.first"]);
    const attached = await attaching;
    change();
    change();
    answers[2]!(later);
    await settled();
    answers[1]!(["a.old"]);
    await settled();
    expect(attached.ids).toEqual(ids);
    expect(registry.list().map(({ id }) => id)).toEqual(ids);
  });
});
