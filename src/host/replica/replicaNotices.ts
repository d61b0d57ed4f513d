/** Tells of what keeps conversations from the replica and the user must mend: a banner once, and an item in the status bar. */

import * as vscode from "vscode";
import { isDeepStrictEqual } from "node:util";
import { localize } from "../../protocol/localize.ts";
import type { Presenter } from "../view/presenter.ts";
import { warning } from "../words/banners.ts";
import { explainReplica, needsMending } from "../words/explainReplica.ts";
import type { ReplicaControl, ReplicationProblem } from "./replicaControl.ts";
import type { ReplicaSetupFile } from "./replicaSetup.ts";
import { namedPlace } from "./statusTexts.ts";

export class ReplicaNotices implements vscode.Disposable {
  readonly #control: Pick<ReplicaControl, "status">;
  readonly #setups: Pick<ReplicaSetupFile, "read">;
  readonly #presenter: Pick<Presenter, "showBanner" | "update">;
  #item: vscode.StatusBarItem | undefined;
  #told: ReplicationProblem | undefined;

  constructor(
    control: Pick<ReplicaControl, "status">,
    setups: Pick<ReplicaSetupFile, "read">,
    presenter: Pick<Presenter, "showBanner" | "update">,
  ) {
    this.#control = control;
    this.#setups = setups;
    this.#presenter = presenter;
  }

  /** Call after each change of the status. */
  async update(): Promise<void> {
    const { problem } = this.#control.status;
    const told = problem !== undefined && needsMending(problem) ? problem : undefined;
    if (isSame(told, this.#told)) return;
    this.#told = told;
    this.#item?.dispose();
    this.#item = undefined;
    this.#presenter.update(); // the banner of before is no longer true
    if (told === undefined) return;
    const setup = await this.#setups.read();
    if (!setup.ok || setup.value === undefined || this.#told !== told) return;
    const text = explainReplica(told, namedPlace(setup.value.place), "running");
    this.#item = itemOf(text);
    const show = { label: localize("Show What to Do"), command: "setUpReplica" } as const;
    const close = { label: localize("Close this message"), command: "closeBanner" } as const;
    this.#presenter.showBanner(warning(text, [show, close]), () => this.#told === told);
  }

  dispose(): void {
    this.#item?.dispose();
  }
}

/** Their details may differ from check to check. */
function isSame(one: ReplicationProblem | undefined, other: ReplicationProblem | undefined): boolean {
  const keyOf = (problem: ReplicationProblem | undefined): unknown =>
    problem && [problem.code, "reason" in problem ? problem.reason : ""];
  return isDeepStrictEqual(keyOf(one), keyOf(other));
}

function itemOf(text: string): vscode.StatusBarItem {
  const item = vscode.window.createStatusBarItem("forge.replica", vscode.StatusBarAlignment.Right, 98);
  item.name = localize("Forge: conversations on several machines");
  item.text = `$(warning) ${localize("Forge: not sent")}`;
  item.tooltip = text;
  item.command = "forge.setUpReplica";
  item.accessibilityInformation = { label: `${item.name}. ${text}`, role: "button" };
  item.show();
  return item;
}
