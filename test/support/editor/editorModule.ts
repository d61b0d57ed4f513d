/** Replaces the `vscode` module, which exists only in the editor, by a fake. */

import { registerHooks } from "node:module";

/**
 * Runs the import `load` with the fields of `editor` as the module. `name` identifies the fake: files of the host are
 * loaded again for each, so that tests in one process never share a module with another fake.
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
