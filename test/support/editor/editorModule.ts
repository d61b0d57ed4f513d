/** A fake in the place of the `vscode` module, which there is only in the editor. */

import { registerHooks } from "node:module";

/**
 * Imports by `load` with `editor` as the module, by the names of its fields; `name` tells it from other fakes. Files of the
 * host are loaded anew for each of them: tests that share a process share none that know another editor.
 */
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
    resolve: (specifier, context, next) => {
      if (specifier === "vscode") return { url, shortCircuit: true };
      const resolved = next(specifier, context);
      return resolved.url.includes("/src/host/") ? { ...resolved, url: `${resolved.url}?editor=${name}` } : resolved;
    },
  });
  try {
    return await load();
  } finally {
    hooks.deregister();
  }
}
