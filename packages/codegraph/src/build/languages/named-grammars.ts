import type { NamedLanguage, SymbolKind } from "../../graph/index.ts";
import type { GrammarName, SyntaxNode } from "./grammars.ts";
import { present } from "./grammars.ts";

/** The meaning of node types in a grammar. */
interface NamedGrammar {
  readonly grammar: GrammarName;
  /** Nodes that declare a symbol. */
  readonly declares: Readonly<Record<string, SymbolKind>>;
  /** Leaf nodes that are names. */
  readonly names: ReadonlySet<string>;
  /** Nodes that import a module. */
  readonly imports: ReadonlySet<string>;
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

const C_FAMILY = {
  grammar: "cpp",
  declares: {
    class_specifier: "class",
    struct_specifier: "struct",
    union_specifier: "struct",
    enum_specifier: "enum",
    function_definition: "function",
    function_declarator: "function",
    type_definition: "type",
    alias_declaration: "type",
    preproc_def: "constant",
    preproc_function_def: "function",
    enumerator: "enumMember",
  },
  names: words("identifier type_identifier field_identifier namespace_identifier"),
  imports: words("preproc_include"),
} as const satisfies NamedGrammar;

export const NAMED_GRAMMARS: Readonly<Record<NamedLanguage, NamedGrammar>> = {
  java: {
    grammar: "java",
    declares: {
      class_declaration: "class",
      record_declaration: "class",
      interface_declaration: "interface",
      annotation_type_declaration: "interface",
      enum_declaration: "enum",
      enum_constant: "enumMember",
      method_declaration: "method",
      variable_declarator: "property",
    },
    names: words("identifier type_identifier"),
    imports: words("import_declaration"),
  },
  csharp: {
    grammar: "c-sharp",
    declares: {
      class_declaration: "class",
      record_declaration: "class",
      struct_declaration: "struct",
      interface_declaration: "interface",
      enum_declaration: "enum",
      enum_member_declaration: "enumMember",
      delegate_declaration: "type",
      method_declaration: "method",
      property_declaration: "property",
      variable_declarator: "property",
    },
    names: words("identifier"),
    imports: words("using_directive"),
  },
  rust: {
    grammar: "rust",
    declares: {
      function_item: "function",
      function_signature_item: "method",
      struct_item: "struct",
      union_item: "struct",
      enum_item: "enum",
      enum_variant: "enumMember",
      trait_item: "interface",
      type_item: "type",
      const_item: "constant",
      static_item: "constant",
      macro_definition: "function",
      field_declaration: "property",
    },
    names: words("identifier type_identifier field_identifier"),
    imports: words("use_declaration mod_item"),
  },
  ruby: {
    grammar: "ruby",
    declares: {
      class: "class",
      module: "namespace",
      method: "method",
      singleton_method: "method",
      assignment: "constant",
    },
    names: words("identifier constant"),
    imports: words("call"),
  },
  php: {
    grammar: "php",
    declares: {
      class_declaration: "class",
      interface_declaration: "interface",
      trait_declaration: "class",
      enum_declaration: "enum",
      enum_case: "enumMember",
      function_definition: "function",
      method_declaration: "method",
      const_element: "constant",
    },
    names: words("name"),
    imports: words(
      "namespace_use_clause require_expression require_once_expression include_expression include_once_expression",
    ),
  },
  c: C_FAMILY,
  cpp: C_FAMILY,
  kotlin: {
    grammar: "kotlin",
    declares: {
      class_declaration: "class",
      object_declaration: "class",
      function_declaration: "function",
      property_declaration: "property",
      enum_entry: "enumMember",
      type_alias: "type",
    },
    names: words("identifier simple_identifier type_identifier"),
    imports: words("import import_header"),
  },
};

/** Nodes between a declaration and its name, such as the pointer of a C function. */
const AROUND_NAME =
  /declarator|^qualified_identifier$|^variable_declaration$|^destructor_name$|^template_function$/;
const MAX_STEPS = 8;

/** Nodes that may declare a local variable, which is not a symbol. */
const LOCAL = /^(?:variable_declarator|function_declarator|assignment|property_declaration)$/;
const LOCAL_PARENT =
  /^(?:local_variable_declaration|local_declaration_statement|using_statement|for_statement|parameter_declaration|function_definition|pointer_declarator|reference_declarator)$/;

/** The node with the declared name; undefined if the node declares nothing. */
export function declaredName(node: SyntaxNode, names: ReadonlySet<string>): SyntaxNode | undefined {
  if (LOCAL.test(node.type) && isLocal(node)) return undefined;
  let at = nameField(node, names);
  for (let step = 0; at && step < MAX_STEPS && !names.has(at.type); step++) {
    if (!AROUND_NAME.test(at.type)) return undefined;
    at = nameField(at, names);
  }
  if (node.type === "assignment" && at?.type !== "constant") return undefined;
  // A type that is only mentioned, not declared, has no body.
  const isMention = node.type.endsWith("_specifier") && !node.childForFieldName("body");
  return isMention ? undefined : at;
}

function nameField(node: SyntaxNode, names: ReadonlySet<string>): SyntaxNode | undefined {
  return (
    node.childForFieldName("name") ??
    node.childForFieldName("declarator") ??
    (node.type === "assignment" ? node.childForFieldName("left") : null) ??
    present(node.namedChildren).find(
      ({ type }) => names.has(type) || type === "variable_declaration",
    )
  );
}

function isLocal(node: SyntaxNode): boolean {
  let above = node.parent;
  // In C the declaration of a function is around its declarator.
  if (node.type === "function_declarator") {
    while (above && /declarator/.test(above.type)) above = above.parent;
    return above?.type !== "declaration" && above?.type !== "field_declaration";
  }
  for (let step = 0; above && step < MAX_STEPS; step++) {
    if (LOCAL_PARENT.test(above.type)) return true;
    if (/^(?:function_body|block|compound_statement|lambda_literal|statements)$/.test(above.type)) {
      return true;
    }
    if (/body|_list$|^(?:program|source_file|compilation_unit)$/.test(above.type)) return false;
    above = above.parent;
  }
  return false;
}
