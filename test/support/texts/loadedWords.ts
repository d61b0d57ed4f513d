/** Which sources are loaded together, and whether loading one of them reads a text in the user's language. */

import { readFileSync } from "node:fs";
import path from "node:path";
import ts from "typescript";
import { projectDirectory } from "../../../scripts/command.ts";

/** Paths from the project's folder of what is loaded with `entry`, itself included: no types, and nothing imported late. */
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

/** Whether `localize` or `plural` is called while the source is loaded, outside of any function. */
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
