/** Asks for passphrases, and shows recovery codes. */

import * as vscode from "vscode";
import type { Cancelled } from "../../../core/errors.ts";
import { objectCipher } from "../../../adapters/node/objectCipher.ts";
import type { ReplicaFailed } from "../../../core/replica/logReplica.ts";
import { recoveryCodeIn, recoveryCodeOf } from "../../../core/replica/recoveryCode.ts";
import { openRoot, type RootKey, type RootServices, type WrongSecret } from "../../../core/replica/replicaRoot.ts";
import type { Result } from "../../../core/result.ts";
import { localize } from "../../../protocol/localize.ts";
import { askInBox } from "../../editor/boxes/askInBox.ts";
import { showInformation } from "../../editor/boxes/messages.ts";
import { explainReplica, type NamedPlace } from "../../words/explainReplica.ts";
import { askText } from "./askText.ts";

const LEAST_CHARACTERS = 12;
const LEAST_DIFFERENT = 6;

export interface NewSecrets {
  readonly passphrase: string;
  readonly recovery: string;
}

/** A new passphrase and a new recovery code that the user has kept. `undefined`: dismissed. */
export async function askForNewSecrets(): Promise<NewSecrets | undefined> {
  const passphrase = await askForNewPassphrase();
  if (passphrase === undefined) return undefined;
  const recovery = await giveRecoveryCode();
  return recovery === undefined ? undefined : { passphrase, recovery };
}

/** Asked twice. `undefined`: dismissed. */
export async function askForNewPassphrase(): Promise<string | undefined> {
  const passphrase = await askText({
    title: localize("Forge: New Passphrase"),
    prompt: localize(
      "Your other machines ask for it. Nobody can reset it. Four or more words that have nothing to do with each other are good",
    ),
    isSecret: true,
    refusal: passphraseRefusal,
  });
  if (passphrase === undefined) return undefined;
  const repeated = await askText({
    title: localize("Forge: New Passphrase Once More"),
    prompt: localize("Enter the same passphrase again"),
    isSecret: true,
    refusal: (text) => (text === passphrase ? undefined : localize("That is another one than before.")),
  });
  return repeated;
}

export function passphraseRefusal(passphrase: string): string | undefined {
  const characters = Array.from(passphrase.normalize("NFKC"));
  if (characters.length === 0) return localize("Without a passphrase anybody at the place could read everything.");
  if (characters.length < LEAST_CHARACTERS) {
    return localize("Too short: {0} characters at least. A machine would guess it.", LEAST_CHARACTERS);
  }
  if (new Set(characters).size < LEAST_DIFFERENT) {
    return localize("Too much of the same: a machine would guess it. Use several words.");
  }
  return undefined;
}

/** A new code, shown until the user says that it is kept. `undefined`: dismissed; then it opens nothing. */
export async function giveRecoveryCode(): Promise<string | undefined> {
  const code = recoveryCodeOf(objectCipher.newKey());
  const [copy, isKept] = [localize("Copy"), localize("I Have Kept It")];
  for (;;) {
    const answer = await showInformation(
      localize("Recovery code: {0}", code),
      {
        modal: true,
        detail: localize(
          "It opens the conversations if you forget the passphrase, and is shown only now. Keep it where you keep passwords, or on paper. Without the passphrase and this code nobody can read what is there, you neither.",
        ),
      },
      copy,
      isKept,
    );
    if (answer === isKept) return code;
    if (answer !== copy) return undefined;
    await vscode.env.clipboard.writeText(code);
  }
}

/** Asks for the passphrase or the recovery code until one opens the place. `undefined`: dismissed. */
export function askForSecret(
  place: NamedPlace,
  services: RootServices,
): Promise<Result<RootKey, ReplicaFailed | Cancelled> | undefined> {
  const box = vscode.window.createInputBox();
  box.title = localize("Forge: Passphrase of the Conversations");
  box.prompt = localize("{0} has conversations. Enter its passphrase, or its recovery code", place.name);
  box.password = true;
  box.ignoreFocusOut = true;
  return askInBox<Result<RootKey, ReplicaFailed | Cancelled>>(box, {
    accept: async (secret) => {
      if (secret === "") return undefined;
      const opened = await openedBy(services, secret);
      if (opened.ok) return { answer: opened };
      const { error } = opened;
      return error.code === "WRONG_SECRET"
        ? { refused: explainReplica(error, place, "setUp") }
        : { answer: { ok: false, error } };
    },
  });
}

async function openedBy(
  services: RootServices,
  secret: string,
): Promise<Result<RootKey, WrongSecret | ReplicaFailed | Cancelled>> {
  const code = recoveryCodeIn(secret);
  const opened = code === undefined ? undefined : await openRoot(services, code);
  // A passphrase may look like a code.
  const isOther = opened === undefined || (!opened.ok && opened.error.code === "WRONG_SECRET" && code !== secret);
  return isOther ? openRoot(services, secret) : opened;
}
