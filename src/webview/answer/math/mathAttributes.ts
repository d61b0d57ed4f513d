/** Attributes that are allowed, and their values: none reaches beyond the formula. */
import type { MathAttribute, MathAttributes } from "./mathTree.ts";

const truth = /^(?:true|false)$/;
/** From slightly negative up to ten letters: nothing covers the text around. */
const length = /^(?:-0?\.[0-4]\d*|\d(?:\.\d+)?|0?\.\d+|10)(?:em|ex|mu)?$|^0px$/;

const allowedValues: Readonly<Record<MathAttribute, RegExp>> = {
  accent: truth,
  accentunder: truth,
  class: /^(?:math-(?:left|right|flush-start|flush-end|boxed|over|under|struck-up|struck-down) ?)*$/,
  depth: /^0(?:px)?$/,
  displaystyle: truth,
  fence: truth,
  form: /^(?:prefix|infix|postfix)$/,
  height: /^0(?:px)?$/,
  linethickness: /^0px$/,
  lspace: length,
  mathsize: /^(?:0\.[5-9]|[12]\.)\d*em$/,
  mathvariant: /^normal$/,
  maxsize: length,
  minsize: length,
  movablelimits: truth,
  rspace: length,
  scriptlevel: /^[0-3]$/,
  separator: truth,
  stretchy: truth,
  symmetric: truth,
  width: length,
};
const names = Object.keys(allowedValues).filter((name): name is MathAttribute => name in allowedValues);

/** Classes for the notations of `menclose`, which browsers do not draw. */
const enclosures: ReadonlyMap<string, string> = new Map([
  ["top", "math-over"],
  ["bottom", "math-under"],
  ["box", "math-boxed"],
  ["updiagonalstrike", "math-struck-up"],
  ["downdiagonalstrike", "math-struck-down"],
]);

/** Allowed attributes of a Temml node; its classes and styles become classes of the page. */
export function attributesOf(made: object): MathAttributes {
  return allowedAttributes({ ...recordOf(made, "attributes"), class: classesOf(made) });
}

/** Attributes of the row that replaces a `menclose`. */
export function enclosureOf(made: object): MathAttributes {
  const { notation } = recordOf(made, "attributes");
  const ways = typeof notation === "string" ? notation.split(" ") : [];
  return allowedAttributes({ class: ways.flatMap((way) => enclosures.get(way) ?? []).join(" ") });
}

function classesOf(made: object): string {
  const classes: unknown = Reflect.get(made, "classes");
  const { paddingLeft, paddingRight, border } = recordOf(made, "style");
  const has = (name: string): boolean => Array.isArray(classes) && classes.includes(name);
  return [
    has("tml-left") ? "math-left" : "",
    has("tml-right") ? "math-right" : "",
    paddingLeft === "0em" ? "math-flush-start" : "",
    paddingRight === "0em" ? "math-flush-end" : "",
    border === undefined ? "" : "math-boxed",
  ]
    .filter((name) => name !== "")
    .join(" ");
}

function allowedAttributes(given: Readonly<Record<string, unknown>>): MathAttributes {
  const pairs = names.flatMap((name) => {
    const value = given[name];
    return typeof value === "string" && value !== "" && allowedValues[name].test(value) ? [[name, value] as const] : [];
  });
  return Object.fromEntries(pairs);
}

function recordOf(made: object, name: string): Readonly<Record<string, unknown>> {
  const value: unknown = Reflect.get(made, name);
  return typeof value === "object" && value !== null ? { ...value } : {};
}
