/**
 * Finds texts in a source that a user would read and nobody could translate: literals that look like words, outside of
 * `localize` and `plural`. Where they stand tells most of what they are; what is left is for the list of exceptions.
 */

import ts from "typescript";

/** Calls that no user reads the arguments of: ids, logs, checks, and the two that translate. */
const silentCalls =
  /(?:^|\.)(?:localize|plural|executeCommand|registerCommand|getConfiguration|invariant|assertNever|bug|createHash|createStatusBarItem|storageFailed|has|get|startsWith|endsWith|includes|replaceAll|querySelector)$|\blog\.\w+$/;

/** Properties whose values are names for programs. */
const namesForPrograms = /^(?:kind|command|code|id|role|type|key|field|reason|scheme|language|icon|class|strategy)$/;

/** Attributes that no user reads. */
const silentAttributes = /^(?:class|role|type|key|rel|icon|name|data-.*|aria-(?:live|haspopup|current|orientation))$/;

/** How a source is read. */
export interface Reading {
  /** What counts as words; by default what looks like some. */
  readonly isText?: (text: string) => boolean;
  /** Only inside of nodes for which this holds; by default everywhere. */
  readonly within?: (node: ts.Node) => boolean;
}

/** Every literal of `source` that looks like words for a user, with `{0}` for what stands in templates. */
export function unlocalizedTexts(source: string, name: string, reading: Reading = {}): readonly string[] {
  const { isText = looksLikeWords, within = () => true } = reading;
  const kind = name.endsWith("x") ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const file = ts.createSourceFile(name, source, ts.ScriptTarget.Latest, true, kind);
  const found: string[] = [];
  const visit = (node: ts.Node, isInside: boolean): void => {
    if (isSilent(node)) return;
    const text = isInside ? textOf(node) : undefined;
    if (text !== undefined && isText(text) && !isName(node)) found.push(text);
    ts.forEachChild(node, (child) => {
      visit(child, isInside || within(child));
    });
  };
  visit(file, within(file));
  return found;
}

/** Whether a text says anything at all, apart from what stands in its places. */
export function hasLetters(text: string): boolean {
  return /\p{L}/u.test(text.replaceAll(/\{\d+\}/g, ""));
}

/** Whether a tool says here to the user, and not to the model, what a call does. */
export function isTitleOfCall(node: ts.Node): boolean {
  if (ts.isPropertyAssignment(node)) return /^(?:title|detail|placeHolder)$/.test(node.name.getText());
  if (ts.isFunctionDeclaration(node)) return /title|question/i.test(node.name?.text ?? "");
  return ts.isCallExpression(node) && node.expression.getText() === "titled";
}

function isSilent(node: ts.Node): boolean {
  if (ts.isImportDeclaration(node) || ts.isTypeNode(node) || ts.isThrowStatement(node)) return true;
  if (ts.isCallExpression(node)) return silentCalls.test(node.expression.getText());
  if (ts.isJsxAttribute(node)) return silentAttributes.test(node.name.getText());
  return ts.isNewExpression(node) && node.expression.getText().endsWith("Error");
}

function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(node) || ts.isJsxText(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return undefined;
  return node.head.text + node.templateSpans.map(({ literal }, index) => `{${String(index)}}${literal.text}`).join("");
}

/** "Send", "New below", "{0} of {1} facts"; and neither "message-{0}" nor "utf8". */
function looksLikeWords(text: string): boolean {
  const bare = text.replaceAll(/\{\d+\}|\$\([a-z~-]+\)/g, "").trim();
  if (/^[A-Z][a-z]+$/.test(bare)) return true;
  return text.trim().includes(" ") && /[a-z]{2}/.test(bare) && !/[{}<>]/.test(bare);
}

/** Whether the literal stands where a program reads it: in a comparison, as a name, as a name's value. */
function isName(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isBinaryExpression(parent)) return parent.operatorToken.getText().includes("==");
  if (ts.isPropertyAssignment(parent)) return parent.name === node || namesForPrograms.test(parent.name.getText());
  return ts.isElementAccessExpression(parent) || ts.isCaseClause(parent);
}
