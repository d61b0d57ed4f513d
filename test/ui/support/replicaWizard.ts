/** The questions of "Forge: Keep Conversations on Several Machines…". */

import type { Page } from "playwright-core";
import { picture } from "./pictures.ts";
import { answerInput, dialog, entries, nameFile, pick, quickInput, runCommand } from "./workbench.ts";

export const REPLICA_COMMAND = "Forge: Keep Conversations on Several Machines…";

/** Waits for the box with this title, and answers it. */
export async function answerTitled(page: Page, title: string, text: string): Promise<void> {
  await quickInput(page).getByText(title, { exact: true }).waitFor();
  await answerInput(page, text);
}

/** Chooses the folder, and names this machine. */
export async function chooseReplicaFolder(page: Page, folder: string, machine: string): Promise<void> {
  await runCommand(page, REPLICA_COMMAND);
  await entries(page, "A bucket").waitFor();
  await picture(page, "replica-place");
  await pick(page, "A folder");
  await nameFile(page, "Forge: Folder for Conversations", folder);
  await answerTitled(page, "Forge: Name of This Machine", machine);
}

/** Makes the secrets of a new replica. */
export async function makeReplicaSecrets(page: Page, passphrase: string): Promise<void> {
  await answerTitled(page, "Forge: New Passphrase", passphrase);
  await answerTitled(page, "Forge: New Passphrase Once More", passphrase);
  await dialog(page).getByText("Recovery code: ").waitFor();
  await picture(page, "replica-code");
  await dialog(page).getByRole("button", { name: "I Have Kept It" }).click();
}
