import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { parseSync } from "oxc-parser";
import type { Class, Comment, Declaration, Program, TSSignature } from "oxc-parser";
import { root } from "../run.mjs";

/** A field or a method of a public type. */
export interface Member {
  readonly name: string;
  readonly type: string;
  readonly isOptional: boolean;
  readonly doc: string;
}

/** One public name. */
export interface ApiName {
  readonly name: string;
  readonly kind: "function" | "class" | "interface" | "type" | "const";
  readonly file: string;
  readonly signature: string;
  readonly doc: string;
  readonly members: readonly Member[];
}

interface Module {
  readonly path: string;
  readonly text: string;
  readonly program: Program;
  readonly comments: readonly Comment[];
}

type Found = { readonly module: Module; readonly node: Declaration; readonly start: number };

const modules = new Map<string, Module>();

function readModule(path: string): Module {
  const known = modules.get(path);
  if (known !== undefined) return known;
  const text = readFileSync(path, "utf8");
  const { program, comments } = parseSync(path, text);
  const module = { path, text, program, comments };
  modules.set(path, module);
  return module;
}

/** The comment directly before a position. */
function docBefore({ text, comments }: Module, start: number): string {
  const comment = comments.findLast(
    ({ end }) => end <= start && text.slice(end, start).trim() === "",
  );
  if (comment?.type !== "Block" || !comment.value.startsWith("*")) return "";
  return comment.value
    .slice(1)
    .split("\n")
    .map((line) => line.replace(/^\s*\* ?/, "").trimEnd())
    .join("\n")
    .trim();
}

function declaredName(node: Declaration): string | undefined {
  if (node.type === "VariableDeclaration") {
    const [{ id } = {}] = node.declarations;
    return id?.type === "Identifier" ? id.name : undefined;
  }
  return "id" in node && node.id?.type === "Identifier" ? node.id.name : undefined;
}

/** Finds the declaration of a name, through any number of re-exports. */
function findDeclaration(path: string, name: string): Found | undefined {
  const module = readModule(path);
  for (const node of module.program.body) {
    if (node.type !== "ExportNamedDeclaration") continue;
    if (node.declaration && declaredName(node.declaration) === name) {
      return { module, node: node.declaration, start: node.start };
    }
    const passed = node.specifiers.find(
      ({ exported }) => exported.type === "Identifier" && exported.name === name,
    );
    if (passed === undefined || node.source === null) continue;
    const local = passed.local.type === "Identifier" ? passed.local.name : name;
    return findDeclaration(join(dirname(path), node.source.value), local);
  }
  return undefined;
}

function clean(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}

function keyName(module: Module, key: { start: number; end: number }): string {
  return module.text.slice(key.start, key.end);
}

function signatureMember(module: Module, node: TSSignature): Member[] {
  if (node.type === "TSPropertySignature" || node.type === "TSMethodSignature") {
    const name = keyName(module, node.key);
    const whole = clean(module.text.slice(node.key.end, node.end)).replace(/^\?/, "");
    const type = node.type === "TSPropertySignature" ? whole.replace(/^:\s*/, "") : whole;
    const doc = docBefore(module, node.start);
    return [{ name, type: type.replace(/;$/, ""), isOptional: node.optional, doc }];
  }
  return [];
}

type ClassMember = Class["body"]["body"][number];

/** Whether a member is the implementation of a method whose overloads are declared before it. */
function isOverloaded(module: Module, node: Class, member: ClassMember): boolean {
  if (member.type !== "MethodDefinition" || member.value.body === null) return false;
  const name = keyName(module, member.key);
  return node.body.body.some(
    (other) =>
      other.type === "MethodDefinition" &&
      other.value.body === null &&
      keyName(module, other.key) === name,
  );
}

function classMembers(module: Module, node: Class): Member[] {
  return node.body.body.flatMap((member) => {
    if (member.type !== "MethodDefinition" && member.type !== "PropertyDefinition") return [];
    if (member.key.type === "PrivateIdentifier" || member.static) return [];
    if (member.accessibility === "private" || member.accessibility === "protected") return [];
    if (isOverloaded(module, node, member)) return [];
    const end = member.type === "MethodDefinition" ? member.value.body?.start : member.end;
    const type = clean(module.text.slice(member.key.end, end ?? member.end));
    const doc = docBefore(module, member.start);
    const name = keyName(module, member.key);
    const isOverride = "override" in member && member.override;
    return isOverride
      ? []
      : [{ name, type: type.replace(/^:\s*|;$/g, ""), isOptional: false, doc }];
  });
}

/** The members of parent interfaces that are not exported. */
function inherited(module: Module, names: readonly string[]): Member[] {
  return module.program.body.flatMap((node) =>
    node.type === "TSInterfaceDeclaration" && names.includes(node.id.name)
      ? membersIn({ module, node, start: node.start })
      : [],
  );
}

function membersIn({ module, node }: Found): Member[] {
  if (node.type === "TSInterfaceDeclaration") {
    const bases = node.extends.flatMap(({ expression }) =>
      expression.type === "Identifier" ? [expression.name] : [],
    );
    const own = node.body.body.flatMap((member) => signatureMember(module, member));
    return [...inherited(module, bases), ...own];
  }
  if (node.type === "ClassDeclaration") return classMembers(module, node);
  return [];
}

function kindIn({ node }: Found): ApiName["kind"] {
  if (node.type === "FunctionDeclaration" || node.type === "TSDeclareFunction") return "function";
  if (node.type === "ClassDeclaration") return "class";
  if (node.type === "TSInterfaceDeclaration") return "interface";
  return node.type === "TSTypeAliasDeclaration" ? "type" : "const";
}

/** The declaration without its body. */
function signatureIn({ module, node }: Found): string {
  const body = "body" in node && node.body !== null ? node.body : undefined;
  const isShort = node.type === "TSTypeAliasDeclaration";
  if (node.type === "VariableDeclaration") return "";
  const end = isShort || body === undefined ? node.end : body.start;
  return clean(module.text.slice(node.start, end)).replace(/;$/, "");
}

function readName(path: string, name: string): ApiName {
  const found = findDeclaration(path, name);
  if (found === undefined) throw new Error(`${name} of ${path} is declared nowhere`);
  return {
    name,
    kind: kindIn(found),
    file: relative(root, found.module.path),
    signature: signatureIn(found),
    doc: docBefore(found.module, found.start),
    members: membersIn(found),
  };
}

/** Every name that a file exports, with its comment and the comments of its members. */
export function readApi(file: string): ApiName[] {
  const path = join(root, file);
  if (!existsSync(path)) throw new Error(`${file} is missing`);
  const names = readModule(path).program.body.flatMap((node) =>
    node.type === "ExportNamedDeclaration"
      ? node.specifiers.flatMap(({ exported }) =>
          exported.type === "Identifier" ? [exported.name] : [],
        )
      : [],
  );
  return names.map((name) => readName(path, name));
}
