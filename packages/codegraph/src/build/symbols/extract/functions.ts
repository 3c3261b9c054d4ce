import type {
  BindingIdentifier,
  ParamPattern,
  TSTypeAnnotation,
  TSTypeParameterDeclaration,
} from "oxc-parser";
import { FUNC_FLAG, OP, REQUIRED_SHIFT } from "../facts/ops.ts";
import type { Extraction, FunctionNode } from "./extraction.ts";
import { bindPattern } from "./patterns.ts";

/** The common members of functions and signatures. */
interface Signature {
  readonly typeParameters?: TSTypeParameterDeclaration | null;
  readonly params: readonly ParamPattern[];
  readonly returnType?: TSTypeAnnotation | null;
}

/** Walks a function with its own `this`, or an arrow function, which keeps the outer one. */
export function func(x: Extraction, node: FunctionNode, expected: number): number {
  if (node.type === "ArrowFunctionExpression") return method(x, node, expected);
  const { self, parent } = x;
  x.self = 0;
  x.parent = 0;
  const found = method(x, node, expected);
  x.self = self;
  x.parent = parent;
  return found;
}

/** Walks a function whose `this` the walk already knows. */
export function method(x: Extraction, node: FunctionNode, expected: number): number {
  return x.scoped(() => {
    const own = selfName(x, node);
    const types = typeParameters(x, node.typeParameters);
    const parameters = parameterNodes(x, node.params, expected);
    const declared = node.returnType ? x.type(node.returnType.typeAnnotation) : 0;
    const inferred = body(x, node, declared, expected);
    const result = declared === 0 && !node.returnType ? inferred : declared;
    const found = funcNode(x, { flags: functionFlags(node), result, types, parameters });
    if (own !== 0) x.writer.code[own + 1] = found;
    return found;
  });
}

/** A signature without a body, as in an interface. */
export function signature(x: Extraction, node: Signature, flags = 0): number {
  return x.scoped(() => {
    const types = typeParameters(x, node.typeParameters);
    const parameters = parameterNodes(x, node.params, 0);
    const result = node.returnType ? x.type(node.returnType.typeAnnotation) : 0;
    return funcNode(x, { flags: flags | functionFlags(node), result, types, parameters });
  });
}

/** A named function expression can call itself: `function f() { f() }`. */
function selfName(x: Extraction, node: FunctionNode): number {
  if (node.type !== "FunctionExpression" || !node.id) return 0;
  const local = x.writer.node1(OP.local, 0);
  x.scopes.declareValue(node.id.name, local);
  return local;
}

interface Parts {
  readonly flags: number;
  readonly result: number;
  readonly types: number;
  readonly parameters: readonly number[];
}

function funcNode(x: Extraction, { flags, result, types, parameters }: Parts): number {
  const { code } = x.writer;
  const start = code.push(OP.func, flags, result, types, parameters.length) - 5;
  for (const type of parameters) code.push(type);
  return start;
}

function functionFlags({ params, returnType }: Signature): number {
  const rest = params.at(-1)?.type === "RestElement" ? FUNC_FLAG.rest : 0;
  const guard = returnType?.typeAnnotation.type === "TSTypePredicate" ? FUNC_FLAG.guard : 0;
  return rest | guard | (getRequired(params) << REQUIRED_SHIFT);
}

function getRequired(params: readonly ParamPattern[]): number {
  let required = 0;
  for (const param of params) {
    if (param.type === "RestElement" || param.type === "AssignmentPattern") break;
    // The parser's types lack `optional` on parameters.
    if (Reflect.get(param, "optional") === true) break;
    if (param.type !== "Identifier" || param.name !== "this") required += 1;
  }
  return required;
}

export function typeParameters(x: Extraction, node?: TSTypeParameterDeclaration | null): number {
  if (!node) return 0;
  const nodes = node.params.map(({ name }) => {
    const id = x.writer.node2(OP.typeParameter, 0, 0);
    x.scopes.declareType(name.name, id);
    return id;
  });
  for (const [place, { constraint, default: preset }] of node.params.entries()) {
    const id = nodes[place]!;
    if (constraint) x.writer.code[id + 1] = x.type(constraint);
    if (preset) x.writer.code[id + 2] = x.type(preset);
  }
  return x.writer.many(OP.list, nodes);
}

function parameterNodes(
  x: Extraction,
  params: readonly ParamPattern[],
  expected: number,
): number[] {
  const found: number[] = [];
  for (const param of params) {
    if (param.type === "Identifier" && param.name === "this") {
      x.self = param.typeAnnotation ? x.type(param.typeAnnotation.typeAnnotation) : 0;
      continue;
    }
    const context = expected === 0 ? 0 : x.writer.node2(OP.parameter, expected, found.length);
    found.push(parameter(x, param, context));
  }
  return found;
}

function parameter(x: Extraction, param: ParamPattern, context: number): number {
  for (const decorator of param.decorators ?? []) x.expression(decorator.expression);
  const target = param.type === "TSParameterProperty" ? param.parameter : param;
  const pattern = target.type === "RestElement" ? target.argument : target;
  const inner = pattern.type === "AssignmentPattern" ? pattern.left : pattern;
  const annotation = findAnnotation(target) ?? findAnnotation(inner);
  const declared = annotation ? x.type(annotation.typeAnnotation) : context;
  let whole = declared;
  if (pattern.type === "AssignmentPattern") {
    const preset = x.expression(pattern.right, declared);
    whole = annotation ? declared : x.writer.oneOf([declared, preset]);
  }
  bindPattern(x, inner, whole, (id, value) => declareLocal(x, id, value));
  return whole;
}

type Annotated = { readonly typeAnnotation?: TSTypeAnnotation | null } | object;

function findAnnotation(node: Annotated): TSTypeAnnotation | null | undefined {
  return "typeAnnotation" in node ? node.typeAnnotation : undefined;
}

export function declareLocal(x: Extraction, id: BindingIdentifier, value: number): void {
  x.scopes.declareValue(id.name, x.writer.node1(OP.local, value));
}

/** Walks the body and returns the type of its return values, as far as known. */
function body(x: Extraction, node: FunctionNode, declared: number, expected: number): number {
  if (!node.body) return 0;
  const outer = x.frame;
  const wanted =
    declared !== 0 ? declared : expected === 0 ? 0 : x.writer.node1(OP.returned, expected);
  const inner = wanted !== 0 && node.async ? x.writer.node1(OP.awaited, wanted) : wanted;
  const frame = { returns: [] as number[], expected: inner };
  x.frame = frame;
  if (node.body.type === "BlockStatement") x.walk.statements(x, node.body.body, "function");
  else frame.returns.push(x.expression(node.body, inner));
  x.frame = outer;
  const result = node.generator ? 0 : x.writer.oneOf(frame.returns);
  return node.async ? promiseNode(x, result) : result;
}

function promiseNode(x: Extraction, node: number): number {
  const { writer } = x;
  const inner = node === 0 ? 0 : writer.node1(OP.awaited, node);
  const promise = writer.node1(OP.global, writer.text("Promise"));
  return writer.code.push(OP.instance, promise, 1, inner) - 4;
}
