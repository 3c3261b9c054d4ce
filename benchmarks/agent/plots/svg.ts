/** SVG text that is already escaped. */
export type Svg = string & { readonly __svg: unique symbol };

type Attribute = string | number | undefined;

/** Characters that XML cannot contain, such as a bell or half of a surrogate pair. */
const NOT_XML = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;
const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

export function escaped(text: string): Svg {
  const clean = text.replaceAll(NOT_XML, "\u{fffd}");
  return clean.replaceAll(/[&<>"']/g, (sign) => ENTITIES[sign]!) as Svg;
}

/** A number with at most two decimals, the same on every machine. */
export function figure(value: number): string {
  const rounded = Math.round(value * 100) / 100;
  return String(Object.is(rounded, -0) ? 0 : rounded);
}

function attributesText(attributes: Readonly<Record<string, Attribute>>): string {
  return Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => {
      const text = typeof value === "number" ? figure(value) : escaped(String(value));
      return ` ${name}="${text}"`;
    })
    .join("");
}

export function element(
  name: string,
  attributes: Readonly<Record<string, Attribute>>,
  ...children: readonly Svg[]
): Svg {
  const start = `<${name}${attributesText(attributes)}`;
  return (children.length === 0 ? `${start}/>` : `${start}>${children.join("")}</${name}>`) as Svg;
}

/** Text at a position. `as` are its CSS classes. */
export function words(x: number, y: number, as: string, text: string): Svg {
  return element("text", { x, y, class: as }, escaped(text));
}
