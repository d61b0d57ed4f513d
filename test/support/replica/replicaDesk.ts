/** The commands about the replica, over a fake editor, a fake control, and the storage of a temporary folder. */

import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { passphraseKey } from "../../../src/adapters/argon2/passphraseKey.ts";
import { objectCipher } from "../../../src/adapters/node/objectCipher.ts";
import { ReplicaFolder } from "../../../src/adapters/node/replica/replicaFolder.ts";
import type { LogReplica } from "../../../src/core/replica/logReplica.ts";
import { createRoot, openRoot, type RootServices, type SecretKey } from "../../../src/core/replica/replicaRoot.ts";
import { Secrets } from "../../../src/host/editor/secrets.ts";
import type { ContainerOffer } from "../../../src/host/replica/containers/historyPlace.ts";
import { ReplicaSetupFile, type ReplicaSetup } from "../../../src/host/replica/replicaSetup.ts";
import type { OpenPlace } from "../../../src/host/replica/openReplicaPlace.ts";
import { realClock } from "../clocks.ts";
import { give, happened, take, withQuestions } from "../editor/fakeQuestions.ts";
import { FakeControl } from "./fakeControl.ts";
import { NEVER_CANCELLED } from "./replicaFaults.ts";

export const PASSPHRASE = "correct horse battery staple";
export const SET_UP = "Forge: Keep Conversations on Several Machines";
export const MENU = "Forge: Conversations on Several Machines";

const CHEAP = { memoryKib: 8, iterations: 1, parallelism: 1 };
const cheapKey: SecretKey = (secret, salt) => passphraseKey(secret, salt, CHEAP);

export class ReplicaDesk {
  readonly control = new FakeControl();
  readonly stored = new Map<string, string>();
  readonly secrets: Secrets;
  readonly setups: ReplicaSetupFile;
  /** Absolute, and empty at first. */
  readonly folder: string;
  /** Shown to be read. */
  readonly shown: { readonly name: string; readonly text: string }[] = [];
  conversations: readonly { readonly sizeBytes: number }[] = [{ sizeBytes: 1_500_000 }, { sizeBytes: 2_500_000 }];
  /** In place of the product's own. */
  open: OpenPlace | undefined;
  /** Cheap, unless a test wants the product's own. */
  secretKey: SecretKey = cheapKey;
  containerOffer: ContainerOffer = { canAddVolume: false };
  readonly #storage: string;

  constructor(temporary: string) {
    this.#storage = join(temporary, "storage");
    this.folder = join(temporary, "Dropbox");
    mkdirSync(this.folder);
    this.setups = new ReplicaSetupFile(this.#storage);
    this.secrets = new Secrets({
      keys: () => Promise.resolve([...this.stored.keys()]),
      get: (name) => Promise.resolve(this.stored.get(name)),
      store: (name, value) => Promise.resolve(void this.stored.set(name, value)),
      delete: (name) => Promise.resolve(void this.stored.delete(name)),
    });
  }

  async run(): Promise<void> {
    const { ReplicaCommands } = await withQuestions(
      async () => import("../../../src/host/replica/commands/replicaCommands.ts"),
    );
    const list: unknown = () => Promise.resolve(this.conversations);
    const conversations = { list } as ConstructorParameters<typeof ReplicaCommands>[4];
    const documents = { show: (text: { name: string; text: string }) => Promise.resolve(void this.shown.push(text)) };
    const keyboard = { afterPrompt: () => void happened.push("keyboard"), focusComposer: () => undefined };
    await new ReplicaCommands(
      { storage: this.#storage, dist: "" },
      this.secrets,
      realClock,
      this.control,
      conversations,
      documents,
      keyboard,
      this.open,
      this.secretKey,
      () => Promise.resolve(this.containerOffer),
    ).run();
  }

  async setup(): Promise<ReplicaSetup> {
    const read = await this.setups.read();
    assert.ok(read.ok && read.value !== undefined, "it is set up");
    return read.value;
  }

  async isSetUp(): Promise<boolean> {
    const read = await this.setups.read();
    return read.ok && read.value !== undefined;
  }

  /** Sets up the folder without questions. */
  async setUpFolder(more: Partial<ReplicaSetup> = {}): Promise<ReplicaSetup> {
    const services = rootServicesAt(new ReplicaFolder(this.folder));
    const root = await createRoot(services, { passphrase: PASSPHRASE, recovery: "AAAA-BBBB" });
    assert.ok(root.ok);
    const names = await namesIn(services.place);
    const setup: ReplicaSetup = {
      place: { kind: "folder", path: this.folder },
      root: root.value.id,
      marker: names[0] ?? assert.fail(),
      machine: "desktop",
      sinceMs: Date.UTC(2026, 10, 28, 12),
      refusesSecond: true,
      deletesAll: true,
      ...more,
    };
    assert.ok((await this.setups.write(setup)).ok);
    await this.secrets.saveRootKey(root.value);
    return setup;
  }

  /** Ids of the roots in the folder that a secret opens. */
  async opens(secret: string): Promise<string | undefined> {
    const opened = await openRoot(
      { ...rootServicesAt(new ReplicaFolder(this.folder)), secretKey: this.secretKey },
      secret,
    );
    return opened.ok ? opened.value.id : undefined;
  }

  /** Picks the folder. */
  async chooseFolder(folder = this.folder): Promise<void> {
    await take(SET_UP, "A folder");
    await give("Forge: Folder for Conversations", [{ scheme: "file", fsPath: folder }]);
  }

  async enterPassphrase(passphrase = PASSPHRASE): Promise<void> {
    await give("Forge: New Passphrase", passphrase);
    await give("Forge: New Passphrase Once More", passphrase);
  }
}

export function rootServicesAt(place: LogReplica): RootServices {
  return { place, cipher: objectCipher, secretKey: cheapKey, cancel: NEVER_CANCELLED };
}

/** Sorted. */
export async function namesIn(place: LogReplica): Promise<readonly string[]> {
  const names: string[] = [];
  const listed = await place.list("", (page) => names.push(...page.map(({ name }) => name)), NEVER_CANCELLED);
  assert.ok(listed.ok);
  return names.sort();
}
