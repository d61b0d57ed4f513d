/** Finds the fence that a Markdown text leaves open at its end, so that the next message is not taken for its code. */

const FENCE = /^( {0,3})(`{3,}|~{3,})([^\r\n]*)$/;

/** The line that closes the fence at the end of `text`; empty when none is open. */
export function closingFence(text: string): string {
  let open: { readonly indent: string; readonly marks: string } | undefined;
  for (const line of text.split(/\r\n?|\n/)) {
    const [, indent = "", marks = "", info = ""] = FENCE.exec(line) ?? [];
    if (marks === "") continue;
    if (open === undefined) {
      if (!(marks.startsWith("`") && info.includes("`"))) open = { indent, marks };
    } else if (info.trim() === "" && marks.startsWith(open.marks)) open = undefined;
  }
  // A fence in a list has the indentation of its item.
  return open === undefined ? "" : `\n${open.indent}${open.marks}`;
}
