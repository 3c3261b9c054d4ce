import { describe, expect, it } from "vitest";
import { CallError } from "../envelope/index.ts";
import { AbortNode } from "./index.ts";

class Node extends AbortNode {
  readonly name: string;
  readonly log: string[];

  constructor(name: string, log: string[]) {
    super();
    this.name = name;
    this.log = log;
  }

  protected override onAbort(error: CallError): void {
    this.log.push(`${this.name}: ${error.message}`);
  }
}

const enough = new CallError("ABORTED", "enough");

function family(count: number): { parent: Node; children: Node[]; log: string[] } {
  const log: string[] = [];
  const parent = new Node("parent", log);
  const children = Array.from({ length: count }, (_, index) => new Node(`child ${index}`, log));
  for (const child of children) parent.attach(child);
  return { parent, children, log };
}

describe("AbortNode", () => {
  it("aborting an AbortNode aborts the node first, and then all nodes below it", () => {
    const { parent, children, log } = family(2);
    const grandchild = new Node("grandchild", log);
    children[0]!.attach(grandchild);
    parent.abort(enough);
    expect(log[0]).toBe("parent: enough");
    expect(log.toSorted()).toEqual([
      "child 0: enough",
      "child 1: enough",
      "grandchild: enough",
      "parent: enough",
    ]);
    expect(grandchild.aborted).toBe(enough);
  });

  it("aborting a child AbortNode does not abort its parent", () => {
    const { parent, children } = family(1);
    children[0]!.abort(enough);
    expect(parent.aborted).toBeUndefined();
  });

  it("an AbortNode is aborted once, with the first reason", () => {
    const { parent, log } = family(0);
    parent.abort(enough);
    parent.abort(new CallError("TIMEOUT", "too late"));
    expect(log).toEqual(["parent: enough"]);
    expect(parent.aborted?.message).toBe("enough");
  });

  it("a child that is attached to an aborted AbortNode is aborted", () => {
    const { parent, log } = family(0);
    parent.abort(enough);
    parent.attach(new Node("late", log));
    expect(log).toEqual(["parent: enough", "late: enough"]);
  });

  it.each([0, 1, 2, 3])(
    "aborting an AbortNode does not abort its detached child %i of four children",
    (gone) => {
      const { parent, children, log } = family(4);
      parent.detach(children[gone]!);
      parent.abort(enough);
      expect(log).toHaveLength(4);
      expect(log).not.toContain(`child ${gone}: enough`);
    },
  );

  it("children of an AbortNode can be detached in any order, and twice", () => {
    const { parent, children, log } = family(5);
    for (const index of [2, 0, 4, 2, 1]) parent.detach(children[index]!);
    parent.abort(enough);
    expect(log).toEqual(["parent: enough", "child 3: enough"]);
  });

  it("a detached child can be attached to an AbortNode a second time", () => {
    const { parent, children, log } = family(2);
    parent.detach(children[0]!);
    parent.attach(children[0]!);
    parent.abort(enough);
    expect(log).toHaveLength(3);
  });

  it("aborting an AbortNode aborts 20,000 levels of nodes, from the top down", () => {
    const { parent, log } = family(0);
    let deepest = parent;
    for (let depth = 1; depth <= 20_000; depth++) {
      const child = new Node(`child ${depth}`, log);
      deepest.attach(child);
      deepest = child;
    }
    parent.abort(enough);
    expect(deepest.aborted).toBe(enough);
    expect(log.slice(0, 3)).toEqual(["parent: enough", "child 1: enough", "child 2: enough"]);
    expect(log).toHaveLength(20_001);
  });

  it("aborting an AbortNode skips a child that another child detaches during the abort", () => {
    const { parent, children, log } = family(1);
    class Sender extends Node {
      protected override onAbort(): void {
        parent.detach(children[0]!);
      }
    }
    parent.attach(new Sender("sender", log));
    parent.abort(enough);
    expect(log).toEqual(["parent: enough"]);
  });

  it("aborting an AbortNode aborts all children if one child detaches itself during the abort", () => {
    const { parent, log } = family(2);
    class Leaver extends Node {
      protected override onAbort(error: CallError): void {
        super.onAbort(error);
        parent.detach(this);
      }
    }
    parent.attach(new Leaver("leaver", log));
    parent.abort(enough);
    expect(log).toHaveLength(4);
  });
});
