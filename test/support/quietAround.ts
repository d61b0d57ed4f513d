/** A presenter of which only what it tells the pages counts. */

import { Presenter } from "../../src/host/view/presenter.ts";
import type { ToViewBody } from "../../src/protocol/toView.ts";

/** `emit` hears what the pages are told, `refresh` when they are to take everything anew. */
export function quietPresenter(
  emit: (body: ToViewBody) => void = () => undefined,
  refresh: () => void = () => undefined,
): Presenter {
  return new Presenter(
    { post: emit, refresh, setTitle: () => undefined, setPendingApprovals: () => undefined },
    { show: () => undefined },
    { shown: null, scheduleRefresh: () => undefined, close: () => undefined },
    {
      font: { sizePx: null, family: null },
      connectionOptions: { editorModels: 0, servers: [] },
      unreachable: () => [],
    },
  );
}
