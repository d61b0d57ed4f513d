import assert from "node:assert/strict";
import fc from "fast-check";
import { objectCipher } from "../../../src/adapters/node/objectCipher.ts";
import { parseName } from "../../../src/core/replica/objectNames.ts";
import { MemoryPlace, MemoryReplica, RecordingPlace } from "../../support/replica/memoryReplica.ts";
import type { PutFault } from "../../support/replica/replicaFaults.ts";
import { ReplicatedMachine } from "../../support/replica/replicatedMachine.ts";
import { MACHINE_ACTS, sharedTrees } from "../../support/replica/machineActs.ts";

const KEY = objectCipher.newKey();
const KEYS = { newest: { id: "0123456789abcdef", key: KEY }, of: () => KEY };

const step = fc.record({
  machine: fc.nat(2),
  act: fc.constantFrom(
    ...Object.keys(MACHINE_ACTS),
    "replicate",
    "replicate",
    "kill",
    "forget",
    "fault",
    "lag",
    "noLag",
    "meanwhile",
  ),
  number: fc.nat(23),
});

const FAULTS: readonly PutFault[] = ["dropped", "answerLost", "doubled", "half"];

function machinesAt(place: MemoryPlace): readonly ReplicatedMachine[] {
  return ["a", "b", "c"].map((name) => new ReplicatedMachine(name, new MemoryReplica(place), KEYS));
}

function actMeanwhile({ machine }: ReplicatedMachine, number: number): void {
  const acts = Object.values(MACHINE_ACTS);
  acts[number % acts.length]?.(machine, number);
}

/** All that whoever has the key can read. */
async function readableText({ objects }: Pick<MemoryPlace, "objects">): Promise<string> {
  const names = [...objects.keys()].flatMap((name) => parseName(name) ?? []);
  const texts: string[] = [];
  for (const key of names) {
    const object = names.find((name) => name.kind !== "key" && key.kind === "key" && name.hash === key.object);
    if (object === undefined || key.kind !== "key") continue;
    const [bytes, wrapped] = [objects.get(object.name), objects.get(key.name)];
    assert.ok(bytes && wrapped);
    const own = objectCipher.unwrap(wrapped, KEY, `forge replica 1 key ${key.conversation} ${object.hash}`);
    assert.ok(own.ok);
    const text = await objectCipher.open(bytes, own.value, `forge replica 1 ${object.kind} ${key.conversation}`);
    assert.ok(text.ok);
    texts.push(text.value);
  }
  return texts.join("\n");
}

const MOST_LISTS = 9;

/** Fails when it is asked for more lists than there is anything to learn from. */
class ListedReplica extends MemoryReplica {
  listsLeft = Infinity;

  override list(...args: Parameters<MemoryReplica["list"]>): ReturnType<MemoryReplica["list"]> {
    assert.ok(this.listsLeft-- > 0, "it goes on for ever");
    return super.list(...args);
  }
}

describe("A replicated conversation", () => {
  it("is the same on all machines when these are quiet, whatever was done and wherever they were killed, and the place failed", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const place = new MemoryPlace();
        const machines = machinesAt(place);
        for (const { machine: at, act, number } of steps) {
          const machine = machines[at];
          assert.ok(machine);
          if (act === "replicate") await machine.replicate();
          else if (act === "kill") await machine.replicate(number);
          else if (act === "forget") machine.forgetCache();
          else if (act === "fault") place.putFaults.push(FAULTS[number % FAULTS.length] ?? "half");
          else if (act === "lag") place.listed = place.list();
          else if (act === "noLag") place.listed = undefined;
          else if (act === "meanwhile") machine.meanwhile.push(() => actMeanwhile(machine, number));
          else MACHINE_ACTS[act]?.(machine.machine, number);
        }
        for (const { meanwhile } of machines) meanwhile.length = 0;
        place.putFaults.length = 0;
        place.listed = undefined;
        for (let round = 0; round < 4; round++) for (const machine of machines) await machine.replicate();
        const [first, ...others] = sharedTrees(machines.map(({ machine }) => machine));
        for (const other of others) assert.deepEqual(other, first);
        const erased = machines.flatMap(({ machine }) => machine.erasedTexts);
        const readable = (await readableText(place)).split(/\W+/);
        assert.deepEqual(
          erased.filter((text) => readable.includes(text)),
          [],
        );
        for (const machine of machines) {
          const report = await machine.replicate();
          assert.ok(report?.ok);
          const { plan, unusable } = report.value;
          assert.deepEqual([plan.fetch, plan.missing, plan.scrub, unusable, machine.waiting], [[], [], [], [], 0]);
        }
      }),
      { numRuns: 500 },
    );
  });

  it("is put again by those who have it when the place has lost everything, and is the same for who comes then", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const place = new MemoryPlace();
        const machines = machinesAt(place);
        for (const { machine: at, act, number } of steps) {
          const machine = machines[at];
          assert.ok(machine);
          const { [act]: perform } = MACHINE_ACTS;
          if (perform === undefined) await machine.replicate();
          else perform(machine.machine, number);
        }
        for (let round = 0; round < 4; round++) for (const machine of machines) await machine.replicate();
        place.objects.clear();
        for (let round = 0; round < 4; round++)
          for (const machine of machines) await machine.replicate(Infinity, { restores: true });
        const late = new ReplicatedMachine("late", new MemoryReplica(place), KEYS);
        await late.replicate();
        const [first, ...others] = sharedTrees([late, ...machines].map(({ machine }) => machine));
        for (const other of others) assert.deepEqual(other, first);
        const erased = machines.flatMap(({ machine }) => machine.erasedTexts);
        const readable = (await readableText(place)).split(/\W+/);
        assert.deepEqual(
          erased.filter((text) => readable.includes(text)),
          [],
        );
        const report = await late.replicate();
        assert.ok(report?.ok);
        assert.deepEqual([report.value.plan.missing, report.value.plan.fetch, report.value.unusable], [[], [], []]);
      }),
      { numRuns: 200 },
    );
  });

  it("is done with a place whose lists still show what was deleted, wherever a kill came before that", async () => {
    for (let effects = 0; effects < 30; effects++) {
      const place = new MemoryPlace();
      const access = new ListedReplica(place);
      const writer = new ReplicatedMachine("a", access, KEYS);
      for (let turn = 0; turn < 7; turn++) {
        writer.machine.askAndAnswer();
        await writer.replicate();
      }
      writer.machine.askAndAnswer();
      await writer.replicate(effects);
      place.listed = place.list();
      access.listsLeft = MOST_LISTS;
      await writer.replicate();
      place.listed = undefined;
      await writer.replicate();
      const kinds = [...place.objects.keys()].map((name) => parseName(name)?.kind).sort();
      assert.deepEqual({ effects, kinds, waiting: writer.waiting }, { effects, kinds: ["key", "pack"], waiting: 0 });
    }
  });

  it("is never put with text that was erased before, wherever a kill came before that", async () => {
    for (let effects = 0; effects < 12; effects++) {
      const place = new RecordingPlace();
      const [writer, reader] = machinesAt(place);
      assert.ok(writer && reader);
      writer.machine.askAndAnswer();
      await writer.replicate(effects);
      writer.machine.eraseShown(0);
      const [erased = ""] = writer.machine.erasedTexts;
      const keys = [...place.ever].filter(([name]) => name.endsWith(".key"));
      place.ever.clear();
      await writer.replicate();
      await reader.replicate();
      const text = await readableText({ objects: new Map([...keys, ...place.ever]) });
      assert.doesNotMatch(text, new RegExp(`"${erased}"`), `killed after ${String(effects)} effects`);
      assert.equal(reader.machine.shown(), writer.machine.shown());
    }
  });
});
