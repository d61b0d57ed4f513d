/**
 * The XML that object stores answer with: elements and text. Declarations of types and entities are refused, so nothing
 * in it can grow or point elsewhere.
 */

export interface XmlElement {
  /** Without the prefix of a namespace. */
  readonly name: string;
  /** Directly in it. */
  readonly text: string;
  readonly children: readonly XmlElement[];
}

const MOST_NESTED = 20;

const TAG = /<(\/?)(?:[\w.-]{1,100}:)?([\w.-]{1,100})(?:\s[^<>]{0,2000}?)?(\/?)>/y;

/** The root element; `undefined` for any other text. */
export function readXml(document: string): XmlElement | undefined {
  const top: OpenElement = { name: "", text: "", children: [] };
  const open: OpenElement[] = [top];
  for (let at = 0; at < document.length;) {
    const element = open.at(-1);
    if (element === undefined) return undefined;
    const tagAt = document.indexOf("<", at);
    if (tagAt < 0) break;
    element.text += withCharacters(document.slice(at, tagAt));
    const skipped = SKIPPED.find(({ begin }) => document.startsWith(begin, tagAt));
    if (skipped !== undefined) {
      const end = document.indexOf(skipped.end, tagAt + skipped.begin.length);
      if (end < 0) return undefined;
      if (skipped.isText) element.text += document.slice(tagAt + skipped.begin.length, end);
      at = end + skipped.end.length;
      continue;
    }
    TAG.lastIndex = tagAt;
    const [tag, slash, name = "", isEmpty] = TAG.exec(document) ?? [];
    if (tag === undefined) return undefined;
    at = TAG.lastIndex;
    if (slash === "/") {
      if (open.pop()?.name !== name || open.length === 0) return undefined;
      continue;
    }
    const child: OpenElement = { name, text: "", children: [] };
    element.children.push(child);
    if (isEmpty !== "/") open.push(child);
    if (open.length > MOST_NESTED) return undefined;
  }
  const [root, ...others] = top.children;
  return open.length === 1 && others.length === 0 ? root : undefined;
}

/** Text of the first child of that name; empty if there is none. */
export function textIn(element: XmlElement | undefined, name: string): string {
  return element?.children.find((child) => child.name === name)?.text ?? "";
}

interface OpenElement extends XmlElement {
  text: string;
  readonly children: OpenElement[];
}

const SKIPPED = [
  { begin: "<?", end: "?>", isText: false },
  { begin: "<!--", end: "-->", isText: false },
  { begin: "<![CDATA[", end: "]]>", isText: true },
] as const;

const NAMED: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

function withCharacters(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(lt|gt|amp|quot|apos));/gi, (_all, decimal, hex, name) => {
    if (typeof name === "string") return NAMED[name.toLowerCase()] ?? "";
    const code = typeof decimal === "string" ? Number(decimal) : Number.parseInt(String(hex), 16);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : "\ufffd";
  });
}
