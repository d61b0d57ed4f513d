/** Maps the languages that code fences name to the editor's language ids. Pure. */

export function languageId(fence: string, known: readonly string[]): string {
  const name = fence.toLowerCase();
  const id = OTHER_NAMES.get(name) ?? name;
  return known.find((language) => language.toLowerCase() === id) ?? "plaintext";
}

const OTHER_NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    shellscript: "bash,sh,shell,zsh,fish,console,shellsession,terminal",
    bat: "batch,cmd",
    powershell: "ps1,pwsh",
    typescript: "ts,mts,cts",
    typescriptreact: "tsx",
    javascript: "js,mjs,cjs,node",
    javascriptreact: "jsx",
    python: "py,python3",
    ruby: "rb",
    rust: "rs",
    go: "golang",
    csharp: "cs,c#",
    fsharp: "fs,f#",
    cpp: "c++,cc,cxx,hpp",
    "objective-c": "objc",
    markdown: "md",
    yaml: "yml",
    dockerfile: "docker",
    makefile: "make,mk",
    perl: "pl",
    html: "htm",
    kotlin: "kt",
    plaintext: "text,txt",
    diff: "patch,udiff",
    vb: "vbnet",
    latex: "tex",
    jsonc: "json5",
  }).flatMap(([id, names]) => names.split(",").map((name) => [name, id] as const)),
);
