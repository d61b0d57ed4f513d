/** A fake in the place of the `vscode` module, which there is only in the editor. */

import { registerHooks } from "node:module";

/** Imports by `load` with `editor` as the module, by the names of its fields; `name` tells it from other fakes. */
export async function withEditorModule<Module>(
  name: string,
  editor: object,
  load: () => Promise<Module>,
): Promise<Module> {
  const place = `${name}OfTest`;
  Object.assign(globalThis, { [place]: editor });
  const source = Object.keys(editor).map((field) => `export const ${field} = globalThis.${place}.${field};`);
  const url = `data:text/javascript,${encodeURIComponent(source.join("\n"))}`;
  const hooks = registerHooks({
    resolve: (specifier, context, next) =>
      specifier === "vscode" ? { url, shortCircuit: true } : next(specifier, context),
  });
  try {
    return await load();
  } finally {
    hooks.deregister();
  }
}
