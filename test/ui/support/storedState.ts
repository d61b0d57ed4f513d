import type { Page } from "playwright-core";

/**
 * What the workbench has stored of its state, of all scopes, by key. It stores changes some seconds later; a window that
 * is reloaded before shows what it was before the change.
 */
export async function storedState(page: Page): Promise<Readonly<Record<string, string>>> {
  const entries = await page.evaluate(async () => {
    const result = <T>(request: IDBRequest<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error ?? new Error("IndexedDB"));
      });
    const found: [string, string][] = [];
    for (const { name = "" } of await indexedDB.databases()) {
      if (!name.startsWith("vscode-web-state-db-")) continue;
      const database = await result(indexedDB.open(name));
      const store = database.transaction("ItemTable").objectStore("ItemTable");
      const [keys, values] = await Promise.all([result(store.getAllKeys()), result<unknown[]>(store.getAll())]);
      keys.forEach((key, index) => found.push([key as string, String(values[index])]));
      database.close();
    }
    return found;
  });
  return Object.fromEntries(entries);
}
