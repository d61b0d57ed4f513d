/**
 * Draws what nobody has touched yet: the elements that its components would make, made at once, and no component behind
 * them. Most rows of a transcript are only ever read. The components take over, element for element, when they are needed.
 */
import {
  type ComponentChildren,
  type ComponentType,
  Fragment,
  isValidElement,
  type RefObject,
  type VNode,
} from "preact";
import type { Services } from "./useStore.ts";

/** What a drawing may use, and what it leaves behind. */
export interface StillDrawing {
  readonly services: Services;
  /** Names in it of files that are not there as far as is known; it is out of date when one of them is. */
  readonly missingFiles: Set<string>;
  /** Code in it that is to be coloured later. */
  readonly plainCodes: PlainCode[];
  /** How much that is, in UTF-16 units. */
  plainLength: number;
}

/** A block of code without its colours, and where it stands. */
export interface PlainCode {
  readonly language: string;
  readonly text: string;
  readonly pre: RefObject<HTMLPreElement | null>;
}

/** What a component looks like at first, or an element to copy; undefined where it cannot be without its component. */
export type StillForm<Props> = (props: Props, drawing: StillDrawing) => ComponentChildren;

/** A component, and what it looks like. */
export type StillForms = ReadonlyMap<unknown, (props: object, drawing: StillDrawing) => ComponentChildren>;

/** An entry of {@link StillForms}. */
export function stillForm<Props extends object>(
  component: ComponentType<Props>,
  form: StillForm<Props>,
): [unknown, (props: object, drawing: StillDrawing) => ComponentChildren] {
  return [component, (props, drawing) => form(props as Props, drawing)];
}

/**
 * The form of what is made of plain elements and looks the same under the same name: made once, and copied, which costs a
 * fraction. A name of null: it looks like nothing else.
 */
export function copiedForm<Props>(nameOf: (props: Props) => string | null, view: (props: Props) => VNode) {
  const made = new Map<string, Element>();
  return (props: Props, drawing: StillDrawing): ComponentChildren => {
    const name = nameOf(props);
    if (name === null) return view(props);
    const known = made.get(name);
    if (known !== undefined) return known;
    const holder = document.createElement("div");
    const element = drawStill(holder, view(props), new Map(), drawing) ? holder.firstElementChild : null;
    if (element === null) return undefined;
    made.set(name, element);
    return element;
  };
}

/** Puts `children` into `parent`. False where something in them has no form: then what was put there is of no use. */
export function drawStill(
  parent: Element,
  children: ComponentChildren,
  forms: StillForms,
  drawing: StillDrawing,
): boolean {
  if (typeof children === "string" || typeof children === "number") {
    // Most text stands alone, which is one call.
    if (children !== "" && parent.firstChild === null) parent.textContent = String(children);
    else parent.appendChild(document.createTextNode(String(children)));
    return true;
  }
  if (children === null || typeof children === "boolean") return true;
  if (Array.isArray(children)) {
    for (const child of children as readonly ComponentChildren[])
      if (!drawStill(parent, child, forms, drawing)) return false;
    return true;
  }
  if (!isValidElement(children)) {
    if (!(children instanceof Element)) return false;
    parent.appendChild(children.cloneNode(true));
    return true;
  }
  const props: Readonly<Record<string, unknown>> & { readonly children?: ComponentChildren } = children.props;
  const { type, ref } = children;
  if (typeof type === "string") {
    const element = elementOf(type, props["class"]);
    if (typeof ref === "object" && ref !== null) ref.current = element;
    if (!setAttributes(element, props)) return false;
    if (props.children !== undefined && !drawStill(element, props.children, forms, drawing)) return false;
    parent.appendChild(element);
    return true;
  }
  if (type === Fragment) return drawStill(parent, props.children ?? null, forms, drawing);
  const form = forms.get(type)?.(props, drawing);
  return form !== undefined && drawStill(parent, form, forms, drawing);
}

/** Empty elements by their tag and class, of which there are few: most have nothing else, and a copy costs less than a new one. */
const patterns = new Map<string, Map<unknown, Element>>();

function elementOf(tag: string, className: unknown): Element {
  let ofTag = patterns.get(tag);
  if (ofTag === undefined) patterns.set(tag, (ofTag = new Map<unknown, Element>()));
  let pattern = ofTag.get(className);
  if (pattern === undefined) {
    pattern = document.createElement(tag);
    if (typeof className === "string") pattern.className = className;
    ofTag.set(className, pattern);
  }
  return document.importNode(pattern, false);
}

/** What is called when something happens is left out: nothing has. False for what is more than an attribute. */
function setAttributes(element: Element, props: Readonly<Record<string, unknown>>): boolean {
  for (const name in props) {
    const value = props[name];
    if (name === "children" || name === "class" || value === undefined || typeof value === "function") continue;
    if (typeof value === "string" || typeof value === "number") element.setAttribute(name, String(value));
    else if (typeof value !== "boolean") return false;
    else if (name.startsWith("aria-")) element.setAttribute(name, String(value));
    else if (value) element.setAttribute(name, "");
  }
  return true;
}
