/** Finds the texts that sources pass to `localize` and `plural`. Plain JavaScript, since the build uses it. */
import ts from "typescript";

/** Indexes of the text arguments by function. */
const placesOfTexts = new Map([
  ["localize", [0]],
  ["plural", [1, 2]],
]);

export function localizedTexts(source, name = "source.ts") {
  const texts = [];
  const unreadable = [];
  const visit = (node) => {
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression)) {
      for (const place of placesOfTexts.get(node.expression.text) ?? []) {
        const text = node.arguments[place];
        if (text !== undefined && ts.isStringLiteralLike(text)) texts.push(text.text);
        else unreadable.push(node.getText());
      }
    }
    ts.forEachChild(node, visit);
  };
  const kind = name.endsWith("x") ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  visit(ts.createSourceFile(name, source, ts.ScriptTarget.Latest, true, kind));
  return { texts, unreadable };
}
