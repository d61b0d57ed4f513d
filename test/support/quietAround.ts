/** What is around a presenter where only what it tells the view counts. */

import type { Presenter } from "../../src/host/session/presenter.ts";

/** Says and shows nothing. */
export const quietAround: Omit<ConstructorParameters<typeof Presenter>[0], "emit" | "refreshView"> = {
  font: () => ({ sizePx: null, family: null }),
  titled: () => undefined,
  asked: () => undefined,
  noted: () => undefined,
  shown: () => undefined,
  statusBar: { show: () => undefined },
  waysOut: () => ({ editorModels: 0, servers: [] }),
  unanswered: () => [],
  contextPage: { shown: null, changed: () => undefined, close: () => undefined },
};
