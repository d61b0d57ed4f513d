/** Reads all that is there, and says what is damaged or missing, and who wrote. */

import * as vscode from "vscode";
import type { Cancelled, StorageFailed } from "../../../core/errors.ts";
import type { ReplicaFailed } from "../../../core/replica/logReplica.ts";
import type { Result } from "../../../core/result.ts";
import { localize, plural } from "../../../protocol/localize.ts";
import { inList } from "../../editor/boxes/inList.ts";
import { showInformation, showWarning } from "../../editor/boxes/messages.ts";
import { nameInList } from "../../tools/hiddenText.ts";
import { formatBytes } from "../../words/modelStoreTexts.ts";
import type { VerifyReport } from "../replicaControl.ts";
import { type ReplicaServices } from "../replicaServices.ts";
import type { ReplicaSetup } from "../replicaSetup.ts";
import { warnOf } from "./warnOf.ts";

export async function verifyReplica(services: ReplicaServices, setup: ReplicaSetup): Promise<void> {
  const report = await readAll(services, localize("Verifying everything"));
  if (!report.ok) {
    warnOf(report.error, setup.place, "running");
    return;
  }
  const { damaged, missing } = report.value;
  if (damaged.length + missing.length === 0) {
    void showInformation(`${readText(report.value)} ${localize("All of it is whole.")}`);
    return;
  }
  const show = localize("Show Them");
  const count = plural(
    damaged.length + missing.length,
    "1 object is damaged or missing. It is set aside, and fetched again from whoever has it.",
    "{0} objects are damaged or missing. They are set aside, and fetched again from whoever has them.",
  );
  const answer = await showWarning(`${readText(report.value)} ${count}`, show);
  if (answer === show) await services.documents.show({ name: "Replica.md", text: reportText(report.value) });
}

export async function showWriters(services: ReplicaServices, setup: ReplicaSetup): Promise<void> {
  const report = await readAll(services, localize("Reading who writes"));
  if (!report.ok) {
    warnOf(report.error, setup.place, "running");
    return;
  }
  const items = report.value.writers.map(({ machine, segments }) => ({
    label: `$(device-desktop) ${nameInList(machine)}`,
    description: plural(segments, "wrote once", "wrote {0} times"),
    ...(machine === setup.machine ? { detail: localize("This machine") } : {}),
  }));
  const none = [{ label: localize("Nobody has written yet") }];
  await vscode.window.showQuickPick(inList(items.length === 0 ? none : items), {
    title: localize("Forge: Who Writes"),
    placeHolder: localize(
      "Machines by name, each as often as it wrote. One that you do not know may be somebody else's",
    ),
  });
  services.keyboard.afterPrompt();
}

function readAll(
  { control }: ReplicaServices,
  title: string,
): Thenable<Result<VerifyReport, ReplicaFailed | StorageFailed | Cancelled>> {
  const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
  return vscode.window.withProgress(options, (progress, token) => {
    const cancel = new AbortController();
    token.onCancellationRequested(() => {
      cancel.abort();
    });
    let before = 0;
    return control.verify((done, all) => {
      const percent = all === 0 ? 100 : (done / all) * 100;
      progress.report({ message: localize("{0} of {1}", done, all), increment: percent - before });
      before = percent;
    }, cancel.signal);
  });
}

function readText({ objects, bytes, conversations }: VerifyReport): string {
  return plural(
    conversations,
    "{1} objects of 1 conversation ({2}) were read.",
    "{1} objects of {0} conversations ({2}) were read.",
    objects,
    formatBytes(bytes),
  );
}

function reportText(report: VerifyReport): string {
  const { damaged, missing } = report;
  const lists = [
    { heading: localize("Damaged"), names: damaged },
    { heading: localize("Missing"), names: missing },
  ];
  const parts = lists
    .filter(({ names }) => names.length > 0)
    .map(({ heading, names }) => [`## ${heading}`, "", ...names.map((name) => `- \`${name}\``)].join("\n"));
  const advice = localize(
    "What is damaged or missing is not used. Open Forge on your other machines: whoever has it puts it there again. Your conversations on this machine are not touched.",
  );
  return `${[`# ${localize("Conversations on several machines")}`, readText(report), advice, ...parts].join("\n\n")}\n`;
}
