/**
 * Finds user-visible texts without a translation: literals that look like words, outside of `localize` and `plural`.
 * Their position excludes most names; the rest needs the list of exceptions.
 */

import ts from "typescript";

/** Calls whose arguments no user reads: ids, logs, checks, and the two that translate. */
const silentCalls =
  /(?:^|\.)(?:localize|plural|executeCommand|registerCommand|getConfiguration|invariant|assertNever|bug|createHash|createStatusBarItem|storageFailed|has|get|startsWith|endsWith|includes|replaceAll|querySelector)$|\blog\.\w+$/;

/** Properties whose values are identifiers. */
const namesForPrograms = /^(?:kind|command|code|id|role|type|key|field|reason|scheme|language|icon|class|strategy)$/;

const silentAttributes = /^(?:class|role|type|key|rel|icon|name|data-.*|aria-(?:live|haspopup|current|orientation))$/;

export interface Reading {
  /** What counts as a text; by default what looks like words. */
  readonly isText?: (text: string) => boolean;
  /** Restricts the search to nodes for which this is true. */
  readonly within?: (node: ts.Node) => boolean;
}

/** Every literal of `source` that looks like text for a user, with `{0}` for template expressions. */
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

/** Whether a text has letters outside its placeholders. */
export function hasLetters(text: string): boolean {
  return /\p{L}/u.test(text.replaceAll(/\{\d+\}/g, ""));
}

/** Whether a tool describes a call to the user here, and not to the model. */
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

/** True for "Send", "New below", "{0} of {1} facts"; false for "message-{0}" and "utf8". */
function looksLikeWords(text: string): boolean {
  const bare = text.replaceAll(/\{\d+\}|\$\([a-z~-]+\)/g, "").trim();
  if (/^[A-Z][a-z]+$/.test(bare)) return true;
  return text.trim().includes(" ") && /[a-z]{2}/.test(bare) && !/[{}<>]/.test(bare);
}

/** Whether the literal is read by a program: in a comparison, as a name, as the value of a name property. */
function isName(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isBinaryExpression(parent)) return parent.operatorToken.getText().includes("==");
  if (ts.isPropertyAssignment(parent)) return parent.name === node || namesForPrograms.test(parent.name.getText());
  return ts.isElementAccessExpression(parent) || ts.isCaseClause(parent);
}
