import { createHash } from "node:crypto";
import { Kind, print, stripIgnoredCharacters, visit } from "graphql";
import type {
  ASTNode,
  FieldNode,
  FragmentDefinitionNode,
  NameNode,
  OperationDefinitionNode,
  SelectionNode,
} from "graphql";
import type { DocumentTemplate } from "@waybill/core/cards";

/** Marks where the prefix of a step is inserted. No name of a document may contain it. */
const MARK = "zPREFIXz";

function marked(name: NameNode): NameNode {
  return { ...name, value: MARK + name.value };
}

function renamed(name: NameNode, value: string): NameNode {
  return { ...name, value };
}

function compact(node: ASTNode): string {
  return stripIgnoredCharacters(print(node));
}

function spreadsIn(node: ASTNode): Set<string> {
  const names = new Set<string>();
  visit(node, { FragmentSpread: ({ name }) => void names.add(name.value) });
  return names;
}

function usesVariables(node: ASTNode): boolean {
  let isUsing = false;
  visit(node, { Variable: () => void (isUsing = true) });
  return isUsing;
}

/** The fragments of one document, with their names after merging. */
class Fragments {
  readonly #byName: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly #sharedNames = new Map<string, string>();

  constructor(fragments: readonly FragmentDefinitionNode[]) {
    this.#byName = new Map(fragments.map((fragment) => [fragment.name.value, fragment]));
  }

  get(name: string): FragmentDefinitionNode {
    return this.#byName.get(name)!;
  }

  /**
   * Whether the fragment, or a fragment that it uses, has variables. Then each step needs its
   * own copy.
   */
  isOwn(name: string): boolean {
    const fragment = this.get(name);
    return usesVariables(fragment) || [...spreadsIn(fragment)].some((inner) => this.isOwn(inner));
  }

  /**
   * The name after merging. A shared fragment is named by a hash of its content, so equal
   * fragments have the same name.
   */
  nameFor(name: string): string {
    if (this.isOwn(name)) return MARK + name;
    const known = this.#sharedNames.get(name);
    if (known !== undefined) return known;
    const text = compact(this.withNames(this.get(name)));
    const shared = `${name}_${createHash("sha256").update(text).digest("hex").slice(0, 8)}`;
    this.#sharedNames.set(name, shared);
    return shared;
  }

  /** The node with marked variables and renamed fragments. */
  withNames<Node extends ASTNode>(node: Node): Node {
    return visit(node, {
      Variable: (variable) => ({ ...variable, name: marked(variable.name) }),
      FragmentSpread: (spread) => ({
        ...spread,
        name: renamed(spread.name, this.nameFor(spread.name.value)),
      }),
    });
  }

  definition(name: string): string {
    const fragment = this.withNames(this.get(name));
    return compact({ ...fragment, name: renamed(fragment.name, this.nameFor(name)) });
  }

  /** Every fragment that these names use, directly or through others. */
  reachable(names: Iterable<string>, seen = new Set<string>()): Set<string> {
    for (const name of names) {
      if (seen.has(name)) continue;
      seen.add(name);
      this.reachable(spreadsIn(this.get(name)), seen);
    }
    return seen;
  }
}

function aliased(field: FieldNode): FieldNode {
  return { ...field, alias: marked(field.alias ?? field.name) };
}

/** Writes out a fragment that has root fields, because each root field gets its own key. */
function rootSelections(
  selections: readonly SelectionNode[],
  fragments: Fragments,
): SelectionNode[] {
  return selections.map((selection) => {
    if (selection.kind === Kind.FIELD) return aliased(selection);
    const source =
      selection.kind === Kind.FRAGMENT_SPREAD ? fragments.get(selection.name.value) : selection;
    const inner = rootSelections(source.selectionSet.selections, fragments);
    return {
      kind: Kind.INLINE_FRAGMENT,
      typeCondition: source.typeCondition,
      directives: selection.directives,
      selectionSet: { kind: Kind.SELECTION_SET, selections: inner },
    } as SelectionNode;
  });
}

function getPieces(texts: readonly string[]): string[] {
  return texts.join(" ").split(MARK);
}

/**
 * The pieces of a document that can be merged with others. Undefined if the operation has
 * directives.
 */
export function documentTemplate(
  operation: OperationDefinitionNode,
  definitions: readonly FragmentDefinitionNode[],
): DocumentTemplate | undefined {
  const hasMark = [operation, ...definitions].some((node) => print(node).includes(MARK));
  if (hasMark || (operation.directives ?? []).length > 0) return undefined;
  const fragments = new Fragments(definitions);
  const inlined = rootSelections(operation.selectionSet.selections, fragments);
  const spreads = inlined.flatMap((selection) => [...spreadsIn(selection)]);
  const names = [...fragments.reachable(spreads)].toSorted();
  const shared = names.filter((name) => !fragments.isOwn(name));
  const variables = operation.variableDefinitions ?? [];
  return {
    variables: getPieces(variables.map((variable) => compact(fragments.withNames(variable)))),
    selections: getPieces(inlined.map((selection) => compact(fragments.withNames(selection)))),
    ownFragments: getPieces(
      names.filter((name) => fragments.isOwn(name)).map((name) => fragments.definition(name)),
    ),
    sharedFragments: Object.fromEntries(
      shared.map((name) => [fragments.nameFor(name), fragments.definition(name)]),
    ),
  };
}
