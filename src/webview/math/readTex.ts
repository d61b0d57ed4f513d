/** Reads the TeX of a formula into the fixed list of elements. Pure; bounded, whatever the text. */
import { type Alphabet, inAlphabet } from "./alphabets.ts";
import { readCommand, small, space } from "./commands.ts";
import { tableOf } from "./environments.ts";
import { element, leaf, type MathNode, row } from "./mathTree.ts";
import { TexCursor } from "./texCursor.ts";
import type { Atom, Cells, TexReader } from "./texReader.ts";
import { texTokens } from "./texTokens.ts";

/** A longer formula is shown as it is written. */
const maxLength = 5_000;
/** Groups in groups. */
const maxDepth = 40;
/** Elements of one formula. */
const maxNodes = 2_000;

/** Characters that are not seen, or that pile up: a text with them is shown as text, which makes them visible. */
const hidden = /[^\P{C}\n\r\t]|\p{M}{2}/u;

/** Reads `tex`; null where it is too much, or not well formed. */
export function readTex(tex: string): readonly MathNode[] | null {
  if (tex.length > maxLength || hidden.test(tex)) return null;
  const reader = new Reader(tex, { depth: 0, nodes: 0, isBroken: false });
  return reader.whole();
}

/** What the parts of one formula have in common. */
interface Work {
  depth: number;
  nodes: number;
  isBroken: boolean;
}

type IsEnd = (kind: string, text: string) => boolean;

class Reader implements TexReader {
  readonly cursor: TexCursor;
  readonly #work: Work;
  #alphabet: Alphabet | null = null;

  constructor(tex: string, work: Work) {
    this.cursor = new TexCursor(texTokens(tex));
    this.#work = work;
  }

  whole(): readonly MathNode[] | null {
    const cells = this.cells(() => false);
    if (this.#work.isBroken) return null;
    const [line] = cells;
    return cells.length === 1 && line?.length === 1 ? (line[0] ?? []) : [tableOf(cells, "rl", true)];
  }

  fail(): void {
    this.#work.isBroken = true;
    this.cursor.giveUp();
  }

  inner(tex: string): MathNode {
    return this.#deeper(() => row(new Reader(tex, this.#work).until(() => false)));
  }

  argumentIn(alphabet: Alphabet): MathNode {
    const before = this.#alphabet;
    this.#alphabet = alphabet;
    const node = this.argument();
    this.#alphabet = before;
    return node;
  }

  argument(): MathNode {
    return this.#deeper(() => {
      const token = this.cursor.peek();
      if (token === undefined) this.fail();
      if (token?.kind === "number") return leaf("mn", inAlphabet(this.cursor.digit(), this.#alphabet ?? "upright"));
      return this.#atom()?.node ?? row([]);
    });
  }

  cells(isEnd: IsEnd): Cells {
    const rows: (readonly MathNode[])[][] = [[]];
    for (;;) {
      const cell = this.until((kind, text) => isEnd(kind, text) || isBetweenCells(kind, text));
      rows.at(-1)?.push(cell);
      if (this.cursor.take("sign", "&")) continue;
      if (!this.cursor.take("command", "\\") && !this.cursor.take("command", "cr")) break;
      if (/^\[-?[\d.]+\s*[a-z]{2}\]/.test(this.cursor.ahead())) this.cursor.option();
      const token = this.cursor.peek();
      if (token === undefined || isEnd(token.kind, token.text)) break; // a line break at the end begins no line
      rows.push([]);
    }
    return rows;
  }

  until(isEnd: IsEnd): readonly MathNode[] {
    const nodes: MathNode[] = [];
    const before = this.#alphabet;
    for (;;) {
      const token = this.cursor.peek();
      if (token === undefined || isEnd(token.kind, token.text)) break;
      if (token.kind === "command" && styles.has(token.text)) {
        this.cursor.next();
        const rest = this.until(isEnd);
        nodes.push(element("mstyle", rest, { displaystyle: "true", scriptlevel: "0" }));
        break;
      }
      const atom = this.#atom();
      if (atom !== null) nodes.push(this.#withScripts(atom));
      else if (this.#isScript()) nodes.push(this.#withScripts({ node: row([]) }));
    }
    this.#alphabet = before;
    return nodes;
  }

  /** One sign, group or command with what belongs to it; null where it shows nothing. */
  #atom(): Atom | null {
    if (this.#isScript()) return null;
    const token = this.cursor.next();
    if (token === undefined || ++this.#work.nodes > maxNodes) {
      this.fail();
      return null;
    }
    if (token.kind === "command") return this.#command(token.text);
    const alphabet = this.#alphabet ?? "upright";
    if (token.kind === "number") return { node: leaf("mn", inAlphabet(token.text, alphabet)) };
    return { node: token.text === "{" ? this.#group() : this.#sign(token.text) };
  }

  #command(name: string): Atom | null {
    const alphabet = switches.get(name);
    if (alphabet !== undefined) {
      this.#alphabet = alphabet; // up to the end of the group
      return null;
    }
    if (name === "right" || name === "end" || name === "middle") {
      this.fail();
      return null;
    }
    return this.#deeper(() => readCommand(this, name));
  }

  #group(): MathNode {
    return this.#deeper(() => {
      const nodes = this.until((kind, text) => kind === "sign" && text === "}");
      if (!this.cursor.take("sign", "}")) this.fail();
      return row(nodes);
    });
  }

  #sign(text: string): MathNode {
    if (/^\p{L}$/u.test(text)) return this.#letters(text);
    if (text === "~") return space("0.333em");
    if ("()[]|/".includes(text)) return small(text);
    if ("}&".includes(text)) this.fail();
    return leaf("mo", text === "-" ? "−" : text === "*" ? "∗" : text);
  }

  /** Upright letters that stand together are one word. */
  #letters(first: string): MathNode {
    const alphabet = this.#alphabet;
    if (alphabet === null) return leaf("mi", first);
    let text = first;
    if (alphabet === "upright") text += this.cursor.letters();
    const isUpright = alphabet !== "italic";
    return leaf("mi", inAlphabet(text, alphabet), isUpright ? { mathvariant: "normal" } : {});
  }

  #isScript(): boolean {
    const token = this.cursor.peek();
    return token?.kind === "sign" && (token.text === "_" || token.text === "^" || token.text === "'");
  }

  #withScripts({ node, limits }: Atom): MathNode {
    let below: MathNode | undefined;
    let above: MathNode | undefined;
    const hasLimits =
      this.cursor.take("command", "limits") || (limits === true && !this.cursor.take("command", "nolimits"));
    for (; this.#isScript();) {
      const sign = this.cursor.next()?.text;
      if ((sign === "_" && below !== undefined) || (sign === "^" && above?.tag === "mrow")) this.fail();
      if (sign === "_") below = this.argument();
      else if (sign === "^") above = row([...(above === undefined ? [] : [above]), this.argument()]);
      else above = primes(above);
    }
    if (below !== undefined && above !== undefined) {
      return element(hasLimits ? "munderover" : "msubsup", [node, below, above]);
    }
    if (below !== undefined) return element(hasLimits ? "munder" : "msub", [node, below]);
    return above === undefined ? node : element(hasLimits ? "mover" : "msup", [node, above]);
  }

  #deeper<T>(read: () => T): T {
    if (++this.#work.depth > maxDepth) this.fail();
    const result = read();
    this.#work.depth--;
    return result;
  }
}

/** Commands that change the letters of all that follows in their group. */
const switches: ReadonlyMap<string, Alphabet> = new Map([
  ["bf", "bold"],
  ["rm", "upright"],
  ["it", "italic"],
  ["cal", "script"],
]);
const styles: ReadonlySet<string> = new Set(["displaystyle"]);

function isBetweenCells(kind: string, text: string): boolean {
  return (kind === "sign" && text === "&") || (kind === "command" && (text === "\\" || text === "cr"));
}

function primes(before: MathNode | undefined): MathNode {
  if (before === undefined || before.tag === "mo") {
    return leaf("mo", `${typeof before?.content === "string" ? before.content : ""}′`);
  }
  return row([before, leaf("mo", "′")]);
}
