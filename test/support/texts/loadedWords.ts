/** Finds sources that read localized texts while they are loaded. */

import { readFileSync } from "node:fs";
import path from "node:path";
import ts from "typescript";
import { projectDirectory } from "../../../scripts/command.ts";

/** Project paths of all files loaded with `entry`, including itself, without type and dynamic imports. */
export function filesLoadedWith(entry: string): readonly string[] {
  const found = new Set<string>();
  const add = (file: string): void => {
    if (found.has(file)) return;
    found.add(file);
    const source = ts.createSourceFile(
      file,
      readFileSync(path.join(projectDirectory, file), "utf8"),
      ts.ScriptTarget.Latest,
    );
    for (const statement of source.statements) {
      if (!ts.isImportDeclaration(statement) || isOfTypes(statement)) continue;
      const { text } = statement.moduleSpecifier as ts.StringLiteral;
      if (text.startsWith(".")) add(path.posix.join(path.posix.dirname(file), text));
    }
  };
  add(entry);
  return [...found];
}

function isOfTypes({ importClause }: ts.ImportDeclaration): boolean {
  if (importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword) return true;
  const named = importClause?.namedBindings;
  return (
    importClause?.name === undefined &&
    named !== undefined &&
    ts.isNamedImports(named) &&
    named.elements.every(({ isTypeOnly }) => isTypeOnly)
  );
}

/** Whether the source calls `localize` or `plural` outside of functions. */
export function readsWordsAtLoad(source: string): boolean {
  const visit = (node: ts.Node): boolean => {
    if (ts.isFunctionLike(node)) return false;
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression)) {
      if (/^(?:localize|plural)$/.test(node.expression.text)) return true;
    }
    return ts.forEachChild(node, visit) ?? false;
  };
  return visit(ts.createSourceFile("source.tsx", source, ts.ScriptTarget.Latest));
}
