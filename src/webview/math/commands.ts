/** What the commands of a formula make of what follows them. */
import { type Alphabet, inAlphabet } from "./alphabets.ts";
import { fence, readEnvironment, tableOf } from "./environments.ts";
import { element, leaf, type MathAttributes, type MathNode, row } from "./mathTree.ts";
import { ACCENTS, FENCES, FUNCTIONS, INTEGRALS, LETTERS, LIMITS, OPERATORS, SPACES, SUMS, UPRIGHT } from "./symbols.ts";
import type { Atom, TexReader } from "./texReader.ts";

type Command = (reader: TexReader, name: string) => Atom | null;

const atom = (node: MathNode): Atom => ({ node });
const display = (node: MathNode, isOn: boolean): MathNode =>
  element("mstyle", [node], { displaystyle: String(isOn), scriptlevel: "0" });
/** Reads its arguments one after the other, and is made of them. */
const of = (make: (first: MathNode, second: MathNode) => MathNode): Command => {
  return (reader) => {
    const first = reader.argument();
    return atom(make(first, reader.argument()));
  };
};
const inLetters = (alphabet: Alphabet): Command => {
  return (reader) => atom(reader.argumentIn(alphabet));
};
const inText = (alphabet: Alphabet): Command => {
  return ({ cursor }) => atom(leaf("mtext", inAlphabet(keepingSpaces(cursor.text()), alphabet)));
};
const nothing: Command = () => null;
const onlyName: Command = ({ cursor }) => {
  cursor.text();
  return null;
};
const argument: Command = (reader) => atom(reader.argument());
const fraction = (top: MathNode, below: MathNode): MathNode => element("mfrac", [top, below]);
const choose = (top: MathNode, below: MathNode): MathNode =>
  row([fence("(", "prefix"), element("mfrac", [top, below], { linethickness: "0" }), fence(")", "postfix")]);
const mod = (words: readonly MathNode[]): MathNode => row([space("1em"), ...words]);
const arrow = (sign: string): Command => {
  return (reader) => {
    const below = reader.cursor.option();
    const [line, above] = [leaf("mo", sign, { stretchy: "true" }), reader.argument()];
    if (below === null) return atom(element("mover", [line, above]));
    return atom(element("munderover", [line, reader.inner(below), above]));
  };
};

const commands: ReadonlyMap<string, Command> = new Map<string, Command>([
  ["frac", of(fraction)],
  ["dfrac", of((top, below) => display(fraction(top, below), true))],
  ["cfrac", of((top, below) => display(fraction(top, below), true))],
  ["tfrac", of((top, below) => display(fraction(top, below), false))],
  ["binom", of(choose)],
  ["dbinom", of((top, below) => display(choose(top, below), true))],
  ["tbinom", of((top, below) => display(choose(top, below), false))],
  ["sqrt", readRoot],
  ["overset", of((above, base) => element("mover", [base, above]))],
  ["stackrel", of((above, base) => element("mover", [base, above]))],
  ["underset", of((below, base) => element("munder", [base, below]))],
  ["xrightarrow", arrow("→")],
  ["xleftarrow", arrow("←")],
  ["xRightarrow", arrow("⇒")],
  ["begin", (reader) => atom(readEnvironment(reader))],
  ["substack", readStack],
  ["left", readFenced],
  ["not", readNegated],
  ["boxed", (reader) => atom(element("mrow", [reader.argument()], { class: "math-boxed" }))],
  ["phantom", (reader) => atom(element("mphantom", [reader.argument()]))],
  ["bmod", () => atom(leaf("mo", "mod"))],
  ["mod", (reader) => atom(mod([leaf("mi", "mod"), space("0.333em"), reader.argument()]))],
  ["pmod", (reader) => atom(mod([small("("), leaf("mi", "mod"), space("0.333em"), reader.argument(), small(")")]))],
  ["operatorname", ({ cursor }) => atom(named(cursor.text()))],
  ["operatorname*", ({ cursor }) => ({ node: named(cursor.text(), { movablelimits: "true" }), limits: true })],
  ["tag", ({ cursor }) => atom(row([space("2em"), leaf("mtext", `(${cursor.text()})`)]))],
  ...["text", "textrm", "textnormal", "mbox", "hbox", "textit", "textup"].map(
    (name) => [name, inText("upright")] as const,
  ),
  ["textbf", inText("bold")],
  ["texttt", inText("mono")],
  ["textsf", inText("sans")],
  ["mathrm", inLetters("upright")],
  ["mathit", inLetters("italic")],
  ["mathbf", inLetters("bold")],
  ["boldsymbol", inLetters("boldItalic")],
  ["bm", inLetters("boldItalic")],
  ["mathbb", inLetters("double")],
  ["mathcal", inLetters("script")],
  ["mathscr", inLetters("script")],
  ["mathfrak", inLetters("fraktur")],
  ["mathsf", inLetters("sans")],
  ["mathtt", inLetters("mono")],
  ...["mathop", "mathbin", "mathrel", "mathord", "mathopen", "mathclose", "mathinner", "mathpunct", "smash"].map(
    (name) => [name, argument] as const,
  ),
  ...["limits", "nolimits", "nonumber", "notag", "hline", "mathstrut", "allowbreak", "textstyle"].map(
    (name) => [name, nothing] as const,
  ),
  ...["label", "color"].map((name) => [name, onlyName] as const),
  ["hspace", (reader) => onlyName(reader, "") ?? atom(space("1em"))],
  ["textcolor", (reader) => onlyName(reader, "") ?? atom(reader.argument())],
]);

/** Reads a command with what belongs to it; null where it shows nothing. One that is not known is shown as it is. */
export function readCommand(reader: TexReader, name: string): Atom | null {
  const command = commands.get(name);
  if (command !== undefined) return command(reader, name);
  const size = /^(big|Big|bigg|Bigg)[lrm]?$/.exec(name)?.[1];
  if (size !== undefined) return atom(sized(readFence(reader), size));
  const accent = ACCENTS.get(name);
  if (accent !== undefined) return accented(reader.argument(), accent);
  return signOf(name) ?? atom(leaf("mtext", `\\${name}`));
}

/** The sign that a command stands for; null where it stands for none. */
function signOf(name: string): Atom | null {
  const letter = LETTERS.get(name);
  if (letter !== undefined) return atom(leaf("mi", letter));
  const upright = UPRIGHT.get(name);
  if (upright !== undefined) return atom(leaf("mi", upright, { mathvariant: "normal" }));
  const operator = OPERATORS.get(name);
  if (operator !== undefined) return atom(leaf("mo", operator));
  const integral = INTEGRALS.get(name);
  if (integral !== undefined) return atom(leaf("mo", integral));
  const sum = SUMS.get(name);
  if (sum !== undefined) return { node: leaf("mo", sum, { movablelimits: "true" }), limits: true };
  const limit = LIMITS.get(name);
  if (limit !== undefined) return { node: named(limit, { movablelimits: "true" }), limits: true };
  if (FUNCTIONS.has(name)) return atom(named(name));
  const side = FENCES.get(name);
  if (side !== undefined) return atom(small(side));
  const width = SPACES.get(name);
  return width === undefined ? null : atom(space(width));
}

/** A sign that is not higher than a letter, whatever it stands beside. */
export function small(sign: string): MathNode {
  return leaf("mo", sign, { stretchy: "false", ...(sign === "|" || sign === "‖" ? { lspace: "0", rspace: "0" } : {}) });
}

/** Empty width. */
export function space(width: string): MathNode {
  return element("mspace", [], { width });
}

function named(name: string, attributes: MathAttributes = {}): MathNode {
  return leaf("mo", name, { ...attributes, lspace: "0.11em", rspace: "0.167em" });
}

function keepingSpaces(text: string): string {
  return text.replace(/^ | $/g, "\u00a0");
}

function accented(base: MathNode, { sign, below, wide }: { sign: string; below?: true; wide?: true }): Atom {
  const mark = leaf("mo", sign, { stretchy: String(wide === true) });
  const isBrace = sign === "⏞" || sign === "⏟";
  const node = element(below === true ? "munder" : "mover", [base, mark], isBrace ? {} : { accent: "true" });
  return isBrace ? { node, limits: true } : { node };
}

function readRoot(reader: TexReader): Atom {
  const degree = reader.cursor.option();
  const radicand = reader.argument();
  if (degree === null) return atom(element("msqrt", [radicand]));
  return atom(element("mroot", [radicand, reader.inner(degree)]));
}

function readStack(reader: TexReader): Atom {
  if (!reader.cursor.take("sign", "{")) reader.fail();
  const cells = reader.cells((kind, text) => kind === "sign" && text === "}");
  if (!reader.cursor.take("sign", "}")) reader.fail();
  return atom(tableOf(cells, "c", false));
}

function readNegated(reader: TexReader): Atom {
  const node = reader.argument();
  const content = typeof node.content === "string" ? `${node.content}\u0338` : node.content;
  return atom({ ...node, content });
}

/** "\left(" with all up to its "\right)". */
function readFenced(reader: TexReader): Atom {
  const nodes = [fence(readFence(reader), "prefix")];
  const isSide = (kind: string, text: string): boolean => kind === "command" && /^(?:middle|right)$/.test(text);
  nodes.push(...reader.until(isSide));
  while (reader.cursor.take("command", "middle")) {
    nodes.push(leaf("mo", readFence(reader), { stretchy: "true" }), ...reader.until(isSide));
  }
  if (!reader.cursor.take("command", "right")) reader.fail();
  nodes.push(fence(readFence(reader), "postfix"));
  return atom(element("mrow", nodes));
}

/** The sign at a side; "." is none. */
function readFence(reader: TexReader): string {
  const token = reader.cursor.next();
  if (token === undefined) {
    reader.fail();
    return "";
  }
  if (token.kind === "command") return FENCES.get(token.text) ?? OPERATORS.get(token.text) ?? "";
  return token.text === "." ? "" : token.text === "<" ? "⟨" : token.text === ">" ? "⟩" : token.text;
}

function sized(sign: string, size: string): MathNode {
  const height = { big: "1.2em", Big: "1.8em", bigg: "2.4em" }[size] ?? "3em";
  return leaf("mo", sign, { stretchy: "true", minsize: height, maxsize: height });
}
