/** What of the Markdown library goes into the page. */
import { readFile } from "node:fs/promises";

/** What the page takes from it. */
const taken = ["Lexer", "Tokenizer"];
/** The library's own converter, made when it is loaded, and the first of the shorthands for it. */
const converter = /var [\w$]+=new [\w$]+;function [\w$]+\([\w$,]*\)\{return [\w$]+\.parse\(/;

/** Ends the library before its converter: for it alone the page would load a fifth more, which writes HTML and is never called. */
export const markdownReader = {
  name: "markdownReader",
  setup(build) {
    build.onLoad({ filter: /[\\/]marked[\\/]lib[\\/]marked\.esm\.js$/ }, async ({ path: file }) => {
      const code = await readFile(file, "utf8");
      const end = code.search(converter);
      const exported = taken.map((name) => new RegExp(String.raw`[\w$]+ as ${name}(?=[,}])`).exec(code)?.[0]);
      if (end < 0 || exported.includes(undefined)) throw new Error(`${file} is not written as it was`);
      return { contents: `${code.slice(0, end)}export{${exported.join()}};` };
    });
  },
};
