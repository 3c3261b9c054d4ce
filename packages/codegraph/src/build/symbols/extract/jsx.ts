import type {
  JSXAttribute,
  JSXAttributeItem,
  JSXChild,
  JSXElement,
  JSXElementName,
  JSXFragment,
} from "oxc-parser";
import { OP, SITE_FLAG } from "../facts/ops.ts";
import type { Extraction } from "./extraction.ts";
import { identifier } from "./references.ts";

/** An element counts as a call of its component. */
export function jsxElement(x: Extraction, node: JSXElement | JSXFragment): void {
  if (node.type === "JSXElement") {
    component(x, node.openingElement.name, SITE_FLAG.call);
    for (const type of node.openingElement.typeArguments?.params ?? []) x.type(type);
    for (const attribute of node.openingElement.attributes) jsxAttribute(x, attribute);
  }
  for (const child of node.children) jsxChild(x, child);
  if (node.type === "JSXElement" && node.closingElement) closing(x, node.closingElement.name);
}

/** The closing tag names the component again, but does nothing at run time. */
function closing(x: Extraction, name: JSXElementName): void {
  const isComponent = name.type !== "JSXIdentifier" || !/^[a-z]/.test(name.name);
  if (isComponent) component(x, name, SITE_FLAG.typeOnly);
}

function component(x: Extraction, name: JSXElementName, flags: number): number {
  if (name.type === "JSXIdentifier") {
    if (name.name === "this") return x.self;
    // Lower-case names are HTML elements.
    return /^[a-z]/.test(name.name) && flags !== 0
      ? 0
      : identifier(x, name.name, name.start, flags);
  }
  if (name.type === "JSXNamespacedName") return 0;
  const object = component(x, name.object, 0);
  if (object === 0) {
    x.writer.unresolved(name.property.name, "member");
    return 0;
  }
  const node = x.writer.node2(OP.member, object, x.writer.text(name.property.name));
  x.site(node, name.property.start, flags);
  return node;
}

function jsxAttribute(x: Extraction, attribute: JSXAttributeItem): void {
  if (attribute.type === "JSXSpreadAttribute") x.expression(attribute.argument);
  else jsxValue(x, attribute);
}

function jsxValue(x: Extraction, attribute: JSXAttribute): void {
  if (attribute.name.type === "JSXIdentifier") x.writer.unresolved(attribute.name.name, "key");
  if (attribute.value && attribute.value.type !== "Literal") jsxChild(x, attribute.value);
}

function jsxChild(x: Extraction, child: JSXChild): void {
  switch (child.type) {
    case "JSXElement":
    case "JSXFragment":
      x.expression(child);
      return;
    case "JSXExpressionContainer":
      if (child.expression.type !== "JSXEmptyExpression") x.expression(child.expression);
      return;
    case "JSXSpreadChild":
      x.expression(child.expression);
      return;
    case "JSXText":
  }
}
