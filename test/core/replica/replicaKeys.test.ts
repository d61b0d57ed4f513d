import assert from "node:assert/strict";
import { passphraseKey } from "../../../src/adapters/argon2/passphraseKey.ts";
import { objectCipher } from "../../../src/adapters/node/objectCipher.ts";
import { parseConversationId } from "../../../src/core/ids.ts";
import { ConversationKeyring, moveKeys } from "../../../src/core/replica/conversationKeyring.ts";
import {
  changeSecret,
  createRoot,
  openRoot,
  secretObjects,
  stateOf,
  type RootKey,
  type RootServices,
} from "../../../src/core/replica/replicaRoot.ts";
import { MemoryPlace, MemoryReplica } from "../../support/replica/memoryReplica.ts";
import { NEVER_CANCELLED } from "../../support/replica/replicaFaults.ts";

const CONVERSATION = parseConversationId("00000000-0000-4000-8000-000000000001") ?? assert.fail();
const CHEAP = { memoryKib: 8, iterations: 1, parallelism: 1 };
const WRONG = { ok: false, error: { code: "WRONG_SECRET", mayArrive: false } };
const MAY_ARRIVE = { ok: false, error: { code: "WRONG_SECRET", mayArrive: true } };

function servicesAt(place: MemoryPlace): RootServices {
  return {
    place: new MemoryReplica(place),
    cipher: objectCipher,
    secretKey: (secret, salt) => passphraseKey(secret, salt, CHEAP),
    cancel: NEVER_CANCELLED,
  };
}

async function created(services: RootServices): Promise<RootKey> {
  const root = await createRoot(services, { passphrase: "correct horse", recovery: "AAAA-BBBB" });
  assert.ok(root.ok);
  return root.value;
}

describe("The root of a replica", () => {
  it("is opened by the passphrase and by the recovery code, and by nothing else", async () => {
    const place = new MemoryPlace();
    const services = servicesAt(place);
    assert.deepEqual(await openRoot(services, "correct horse"), WRONG);
    const root = await created(services);
    for (const secret of ["correct horse", " correct horse ", "AAAA-BBBB"])
      assert.deepEqual(await openRoot(services, secret), { ok: true, value: { ...root, key: Buffer.from(root.key) } });
    for (const secret of ["", "correct", "AAAA"]) assert.deepEqual(await openRoot(services, secret), WRONG);
    assert.equal(place.objects.size, 2);
  });

  it("is put when both of its secrets are made, so that nobody finds one without the other for long", async () => {
    const place = new MemoryPlace();
    const services = servicesAt(place);
    const objectsThen: number[] = [];
    const secretKey: RootServices["secretKey"] = (secret, salt, cost) => {
      objectsThen.push(place.objects.size);
      return services.secretKey(secret, salt, cost);
    };
    await created({ ...services, secretKey });
    assert.deepEqual(objectsThen, [0, 0]);
  });

  it("may still arrive where one of its secrets is not there, or not whole", async () => {
    for (const kind of ["passphrase", "recovery"]) {
      const place = new MemoryPlace();
      const services = servicesAt(place);
      await created(services);
      const objects = await secretObjects(services);
      assert.ok(objects.ok);
      place.objects.delete(objects.value.find((object) => object.kind === kind)?.name ?? "");
      assert.deepEqual(await openRoot(services, "another"), MAY_ARRIVE);
    }
  });

  it("has another passphrase once that was changed, and the same key", async () => {
    const services = servicesAt(new MemoryPlace());
    const root = await created(services);
    assert.ok((await changeSecret(services, root, "passphrase", "battery")).ok);
    assert.deepEqual(await openRoot(services, "correct horse"), WRONG);
    for (const secret of ["battery", "AAAA-BBBB"]) {
      const opened = await openRoot(services, secret);
      assert.ok(opened.ok);
      assert.equal(opened.value.id, root.id);
    }
  });

  it("lies in two objects, by name", async () => {
    const place = new MemoryPlace();
    const services = servicesAt(place);
    const { id } = await created(services);
    const objects = await secretObjects(services);
    assert.ok(objects.ok);
    assert.deepEqual(objects.value.map(({ name, root, kind }) => [place.objects.has(name), root, kind]).toSorted(), [
      [true, id, "passphrase"],
      [true, id, "recovery"],
    ]);
  });

  const states: readonly (readonly [string, readonly string[], string])[] = [
    ["empty", [], "empty"],
    ["empty but for what a test left", ["probe/0123.key"], "empty"],
    ["another program's", ["holiday.jpg"], "foreign"],
    ["a newer Forge's", ["root/new.thing", "c/x.y"], "newer"],
  ];
  for (const [title, names, state] of states)
    it(`tells a place that is ${title}`, async () => {
      const place = new MemoryPlace();
      for (const name of names) place.put(name, Uint8Array.of(1));
      assert.deepEqual(await stateOf(servicesAt(place)), { ok: true, value: state });
    });

  it("tells a replica", async () => {
    const place = new MemoryPlace();
    const services = servicesAt(place);
    await created(services);
    place.put("holiday.jpg", Uint8Array.of(1));
    assert.deepEqual(await stateOf(services), { ok: true, value: "replica" });
  });

  it("does not pay what somebody else wrote as its cost", async () => {
    const place = new MemoryPlace();
    const services = servicesAt(place);
    await created(services);
    for (const [name, bytes] of [...place.objects]) {
      const text = new TextDecoder().decode(bytes).replace('"memoryKib":65536', '"memoryKib":99999999');
      const changed = new TextEncoder().encode(text);
      const hash = objectCipher.hashOf(changed);
      place.objects.delete(name);
      place.objects.set(name.replace(/\d+-[0-9a-f]{32}\.root$/, `${String(changed.length)}-${hash}.root`), changed);
    }
    assert.deepEqual(
      await openRoot({ ...services, secretKey: () => assert.fail("paid") }, "correct horse"),
      MAY_ARRIVE,
    );
  });
});

describe("The keys of a conversation", () => {
  const open = async (services: RootServices, root: RootKey, place: MemoryPlace): Promise<ConversationKeyring> => {
    const opened = await ConversationKeyring.open(services, root, CONVERSATION, place.objects.keys());
    assert.ok(opened.ok);
    return opened.value;
  };

  it("are made once, and are the same on each machine", async () => {
    const place = new MemoryPlace();
    const services = servicesAt(place);
    const root = await created(services);
    const [one, other] = [await open(services, root, place), await open(services, root, place)];
    assert.equal(one.newest.id, other.newest.id);
    assert.deepEqual(Buffer.from(other.newest.key), Buffer.from(one.newest.key));
    assert.deepEqual(other.of(one.newest.id), other.newest.key);
  });

  it("are others for what is sealed after a machine was locked out, and open what was sealed before", async () => {
    const place = new MemoryPlace();
    const services = servicesAt(place);
    const root = await created(services);
    const before = await open(services, root, place);
    const next = await createRoot(services, { passphrase: "next", recovery: "CCCC" });
    assert.ok(next.ok);
    const names = [...place.objects.keys()];
    assert.ok((await moveKeys(services, { root, next: next.value }, CONVERSATION, names)).ok);
    const after = await open(services, next.value, place);
    assert.notEqual(after.newest.id, before.newest.id);
    assert.deepEqual(Buffer.from(after.of(before.newest.id) ?? []), Buffer.from(before.newest.key));
    const lockedOut = await open(services, root, place);
    assert.equal(lockedOut.of(before.newest.id), undefined);
    assert.equal(lockedOut.of(after.newest.id), undefined);
  });
});
