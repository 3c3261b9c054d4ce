import type {
  TSImportTypeQualifier,
  TSIndexSignature,
  TSNamedTupleMember,
  TSSignature,
  TSType,
  TSTypeName,
  TSTypeReference,
} from "oxc-parser";
import { FUNC_FLAG, OP, SITE_FLAG } from "../facts/ops.ts";
import type { Extraction } from "./extraction.ts";
import { signature } from "./functions.ts";
import { global, plainNode } from "./references.ts";
import { nameOfKey } from "./names.ts";

/** Walks a type and returns its node; 0 if it has no members in the tree. */
export function type(x: Extraction, node: TSType): number {
  switch (node.type) {
    case "TSTypeReference":
      return reference(x, node);
    case "TSArrayType":
      return x.writer.node1(OP.array, x.type(node.elementType));
    case "TSUnionType":
      return x.writer.oneOf(node.types.map((part) => x.type(part)));
    case "TSIntersectionType":
      return x.writer.many(
        OP.intersection,
        node.types.map((part) => x.type(part)),
      );
    case "TSFunctionType":
      return signature(x, node);
    case "TSConstructorType":
      return signature(x, node, FUNC_FLAG.construct);
    case "TSTypeLiteral":
      return typeLiteral(x, node.members);
    case "TSTypeQuery":
      for (const argument of node.typeArguments?.params ?? []) x.type(argument);
      return node.exprName.type === "TSImportType"
        ? x.type(node.exprName)
        : entityName(x, node.exprName, true);
    case "TSParenthesizedType":
      return x.type(node.typeAnnotation);
    case "TSTypeOperator": {
      const inner = x.type(node.typeAnnotation);
      return node.operator === "readonly" ? inner : 0;
    }
    case "TSThisType":
      return x.self;
    case "TSStringKeyword":
      return x.writer.node1(OP.literal, 0);
    case "TSNumberKeyword":
      return x.writer.node1(OP.literal, 1);
    case "TSBooleanKeyword":
      return x.writer.node1(OP.literal, 2);
    case "TSUndefinedKeyword":
    case "TSNullKeyword":
    case "TSVoidKeyword":
    case "TSNeverKeyword":
      return x.writer.node1(OP.literal, 3);
    default:
      return rarerType(x, node);
  }
}

const LITERAL_TYPES: Readonly<Record<string, number>> = { string: 0, number: 1, boolean: 2 };

function rarerType(x: Extraction, node: TSType): number {
  switch (node.type) {
    case "TSTupleType":
      return x.writer.many(
        OP.tuple,
        node.elementTypes.map((part) => tupleElement(x, part)),
      );
    case "TSIndexedAccessType":
      return indexed(x, node.objectType, node.indexType);
    case "TSConditionalType":
      return conditional(x, node);
    case "TSImportType":
      return importType(x, node.source.value, node.qualifier, node.typeArguments?.params ?? []);
    case "TSLiteralType": {
      const { literal } = node;
      const kind = literal.type === "Literal" ? LITERAL_TYPES[typeof literal.value] : 0;
      return kind === undefined ? 0 : x.writer.node1(OP.literal, kind);
    }
    case "TSMappedType":
      return x.scoped(() => {
        x.scopes.declareType(node.key.name, 0);
        x.type(node.constraint);
        if (node.nameType) x.type(node.nameType);
        return node.typeAnnotation ? x.writer.node1(OP.array, x.type(node.typeAnnotation)) : 0;
      });
    case "TSTypePredicate":
      return node.typeAnnotation ? x.type(node.typeAnnotation.typeAnnotation) : 0;
    case "TSInferType": {
      const { name, constraint } = node.typeParameter;
      x.scopes.declareType(name.name, 0);
      return constraint ? x.type(constraint) : 0;
    }
    case "TSTemplateLiteralType":
      for (const part of node.types) x.type(part);
      return x.writer.node1(OP.literal, 0);
    default:
      return 0;
  }
}

/** Does not evaluate the condition: either branch is possible. */
function conditional(x: Extraction, node: Extract<TSType, { type: "TSConditionalType" }>): number {
  const yes = x.scoped(() => {
    x.type(node.checkType);
    x.type(node.extendsType);
    return x.type(node.trueType);
  });
  // The false branch cannot use the names that the condition infers.
  return x.writer.oneOf([yes, x.type(node.falseType)]);
}

function tupleElement(
  x: Extraction,
  part: Extract<TSType, { type: "TSTupleType" }>["elementTypes"][number] | TSNamedTupleMember,
): number {
  switch (part.type) {
    case "TSOptionalType":
      return x.type(part.typeAnnotation);
    case "TSRestType":
      return x.writer.node2(OP.element, tupleElement(x, part.typeAnnotation), -1);
    case "TSNamedTupleMember":
      return tupleElement(x, part.elementType);
    default:
      return x.type(part);
  }
}

function indexed(x: Extraction, object: TSType, index: TSType): number {
  const base = x.type(object);
  const by = x.type(index);
  if (base === 0) return 0;
  if (
    index.type === "TSLiteralType" &&
    index.literal.type === "Literal" &&
    typeof index.literal.value === "string"
  ) {
    const node = x.writer.node2(OP.member, base, x.writer.text(index.literal.value));
    x.site(node, index.literal.start, SITE_FLAG.typeOnly);
    return node;
  }
  return by !== 0 && index.type === "TSNumberKeyword" ? x.writer.node2(OP.element, base, -1) : 0;
}

function reference(x: Extraction, { typeName, typeArguments }: TSTypeReference): number {
  const name = entityName(x, typeName, false);
  return instance(x, name, typeArguments?.params ?? []);
}

/** An instance of a named type. A type parameter is its own type. */
export function instance(x: Extraction, name: number, params: readonly TSType[]): number {
  const parts = params.map((param) => x.type(param));
  if (name === 0 || x.writer.code[name] === OP.typeParameter) return name;
  const { code } = x.writer;
  const start = code.push(OP.instance, name, parts.length) - 3;
  for (const part of parts) code.push(part);
  return start;
}

export function entityName(x: Extraction, name: TSTypeName, value: boolean): number {
  if (name.type === "ThisExpression") return x.self;
  if (name.type === "Identifier") return typeIdentifier(x, name.name, name.start, value);
  const left = entityName(x, name.left, value || name.left.type === "Identifier");
  if (left === 0) {
    x.writer.unresolved(name.right.name, "member");
    return 0;
  }
  const node = x.writer.node2(OP.member, left, x.writer.text(name.right.name));
  x.site(node, name.right.start, SITE_FLAG.typeOnly);
  return node;
}

function typeIdentifier(x: Extraction, name: string, start: number, value: boolean): number {
  const node = value ? (x.scopes.value(name) ?? x.scopes.type(name)) : x.scopes.type(name);
  if (node === undefined) return global(x, name, start, SITE_FLAG.typeOnly);
  const plain = plainNode(x, node);
  const op = x.writer.code[plain];
  if (op === OP.symbol || op === OP.imported || op === OP.module)
    x.site(plain, start, SITE_FLAG.typeOnly);
  return node;
}

function importType(
  x: Extraction,
  specifier: string,
  qualifier: TSImportTypeQualifier | null,
  params: readonly TSType[],
): number {
  const module = x.writer.node1(OP.module, x.writer.text(specifier));
  if (!qualifier) return module;
  return instance(x, importedName(x, module, qualifier), params);
}

/** `import("./x").a.b` uses `a` and `b`. */
function importedName(x: Extraction, module: number, name: TSImportTypeQualifier): number {
  const isQualified = name.type === "TSQualifiedName";
  const { name: text, start } = isQualified ? name.right : name;
  const owner = isQualified ? importedName(x, module, name.left) : module;
  const node = x.writer.node2(OP.member, owner, x.writer.text(text));
  x.site(node, start, SITE_FLAG.typeOnly);
  return node;
}

/** `{ a: A; b(): B }` as an object with known members. */
function typeLiteral(x: Extraction, members: readonly TSSignature[], owned = false): number {
  const named: number[] = [];
  const others: number[] = [];
  for (const member of members) {
    computedKey(x, member);
    const name = "key" in member ? nameOfKey(member.key, member.computed) : undefined;
    if (name !== undefined) {
      const node = owned ? ownedMember(x, member, name) : signatureNode(x, member);
      named.push(x.writer.text(name), node);
    } else others.push(signatureNode(x, member));
  }
  const known = others.filter((node) => node !== 0);
  const { code } = x.writer;
  const start = code.push(OP.object, named.length / 2) - 2;
  code.push(...named, known.length, ...known);
  return start;
}

/** `[Key.A]: string` uses the names in its key. */
export function computedKey(x: Extraction, member: TSSignature): void {
  if ("key" in member && member.computed && member.key.type !== "PrivateIdentifier") {
    x.expression(member.key);
  }
}

function ownedMember(x: Extraction, member: TSSignature, name: string): number {
  const { start, end } = member;
  const kind = member.type === "TSMethodSignature" ? "method" : "property";
  const symbol = x.declare({ name, kind, start, end, head: end });
  x.setType(
    symbol,
    x.inside(symbol, () => signatureNode(x, member)),
  );
  return x.symbolNode(symbol);
}

/** The type of an alias. The members of its literals are symbols. */
export function aliasedType(x: Extraction, node: TSType): number {
  if (node.type === "TSTypeLiteral") return typeLiteral(x, node.members, true);
  if (node.type !== "TSIntersectionType") return x.type(node);
  return x.writer.many(
    OP.intersection,
    node.types.map((part) => aliasedType(x, part)),
  );
}

/**
 * The type of a member of an interface or type literal. A signature without a name is a function.
 */
export function signatureNode(x: Extraction, member: TSSignature): number {
  switch (member.type) {
    case "TSPropertySignature":
      return member.typeAnnotation ? x.type(member.typeAnnotation.typeAnnotation) : 0;
    case "TSMethodSignature": {
      const found = signature(x, member);
      return member.kind === "get" ? x.writer.node1(OP.returned, found) : found;
    }
    case "TSCallSignatureDeclaration":
      return signature(x, member);
    case "TSConstructSignatureDeclaration":
      return signature(x, member, FUNC_FLAG.construct);
    case "TSIndexSignature":
      return indexSignature(x, member);
  }
}

/** Reads `[key: Key]: Value`, which a class can have too. */
export function indexSignature(
  x: Extraction,
  { parameters, typeAnnotation }: TSIndexSignature,
): number {
  for (const parameter of parameters) x.type(parameter.typeAnnotation.typeAnnotation);
  return x.writer.node1(OP.array, x.type(typeAnnotation.typeAnnotation));
}
