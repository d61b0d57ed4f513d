import type { StatusBarContent } from "../../src/host/editor/statusBar.ts";
import { Presenter } from "../../src/host/view/presenter.ts";
import type { ToViewBody } from "../../src/protocol/toView.ts";

/** A presenter that calls `emit` for messages to the pages, and `refresh` for new snapshots, and `showStatus` for the status bar. */
export function quietPresenter(
  emit: (body: ToViewBody) => void = () => undefined,
  refresh: () => void = () => undefined,
  showStatus: (content: StatusBarContent) => void = () => undefined,
): Presenter {
  return new Presenter(
    { post: emit, refresh, setTitle: () => undefined, setWaiting: () => undefined },
    { show: showStatus },
    { shown: null, scheduleRefresh: () => undefined, close: () => undefined },
    {
      font: { sizePx: null, family: null },
      readOut: { amount: "all", silent: [] },
      connectionOptions: { editorModels: 0, servers: [] },
      unreachable: () => [],
    },
  );
}
