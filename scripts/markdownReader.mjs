import { readFile } from "node:fs/promises";

/** Exports that the page uses. */
const taken = ["Lexer", "Tokenizer"];
/** The library's default converter, created on load, and its first shorthand. */
const converter = /var [\w$]+=new [\w$]+;function [\w$]+\([\w$,]*\)\{return [\w$]+\.parse\(/;

/** Cuts the library before its HTML converter, which the page never calls: it would make the page a fifth larger. */
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
