/** The contract of every `LogReplica`, as cases that tests and runs on real stores share. */

import assert from "node:assert/strict";
import type { ListedObject, LogReplica, ReplicaResult } from "../../../src/core/replica/logReplica.ts";
import { NEVER_CANCELLED, type ReplicaPlace } from "../../support/replica/replicaFaults.ts";

export interface ReplicaCase {
  readonly title: string;
  readonly run: (place: ReplicaPlace) => Promise<void>;
}

export const CREATED = { ok: true, value: "created" } as const;
export const EXISTS = { ok: true, value: "exists" } as const;
export const DONE = { ok: true, value: undefined } as const;
const CANCELLED_RESULT = { ok: false, error: { code: "CANCELLED" } } as const;

/** Different for each seed. */
export function bytesOf(seed: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let state = seed * 2 + 1;
  for (let at = 0; at < length; at++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    bytes[at] = state >>> 24;
  }
  return bytes;
}

export function put(
  replica: LogReplica,
  name: string,
  bytes: Uint8Array,
): Promise<ReplicaResult<"created" | "exists">> {
  return replica.put(name, bytes, NEVER_CANCELLED);
}

/** The bytes, or `undefined` when there is no such object. */
export async function got(replica: LogReplica, name: string): Promise<Uint8Array | undefined> {
  const result = await replica.get(name, NEVER_CANCELLED);
  assert.ok(result.ok, JSON.stringify(result));
  return result.value;
}

/** Sorted by name. */
export async function listed(replica: LogReplica, prefix: string): Promise<readonly ListedObject[]> {
  const objects: ListedObject[] = [];
  const onPage = (page: readonly ListedObject[]): void => {
    assert.ok(page.length <= 1_000);
    objects.push(...page);
  };
  assert.deepEqual(await replica.list(prefix, onPage, NEVER_CANCELLED), DONE);
  return objects.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** Runs `work` for each item, 20 at once. */
export async function forEach<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const rest = items.values();
  await Promise.all(
    Array.from({ length: 20 }, async () => {
      for (const item of rest) await work(item);
    }),
  );
}

const NAMES = [
  "a",
  "a.b",
  "_a-",
  "0/-/_",
  "log/0123456789abcdef/00000001.4096.5d41402abc4b2a76",
  `${"n".repeat(99)}/${"m".repeat(100)}`,
  ...["con", "nul.seg", "aux/prn.a.b", "com1", "lpt9.x", "console", "desktop.ini", "thumbs.db"],
] as const;

export const replicaCases: readonly ReplicaCase[] = [
  {
    title: "creates an object, and reads it on another machine",
    run: async ({ open }: ReplicaPlace): Promise<void> => {
      const bytes = bytesOf(1, 70_000);
      assert.deepEqual(await put(open(), "one/two", bytes), CREATED);
      assert.deepEqual(await got(open(), "one/two"), bytes);
    },
  },
  {
    title: "creates a name once: the first bytes stay, unless the place overwrites",
    run: async ({ open, refusesSecond }: ReplicaPlace): Promise<void> => {
      const [first, second] = [bytesOf(1, 500), bytesOf(2, 500)];
      assert.deepEqual(await put(open(), "once", first), CREATED);
      assert.deepEqual(await put(open(), "once", second), refusesSecond ? EXISTS : CREATED);
      assert.deepEqual(await got(open(), "once"), refusesSecond ? first : second);
    },
  },
  {
    title: "creates each of 10 names once, of 80 puts at once by two machines",
    run: async ({ open, refusesSecond }: ReplicaPlace): Promise<void> => {
      const machines = [open(), open()];
      const names = Array.from({ length: 10 }, (_, index) => `many/${index}`);
      const results = await Promise.all(
        Array.from({ length: 80 }, async (_, index) => {
          const name = `many/${index % 10}`;
          const result = await put(machines[index % 2] ?? open(), name, bytesOf(index % 10, 20_000));
          assert.ok(result.ok, JSON.stringify(result));
          return { name, made: result.value === "created" };
        }),
      );
      for (const [index, name] of names.entries()) {
        const made = results.filter((result) => result.name === name && result.made).length;
        assert.ok(refusesSecond ? made === 1 : made >= 1, `${name} was made ${made} times`);
        assert.deepEqual(await got(open(), name), bytesOf(index, 20_000));
      }
    },
  },
  {
    title: "finds nothing under a name that is not there, or that is the folder of others",
    run: async ({ open }: ReplicaPlace): Promise<void> => {
      const replica = open();
      await put(replica, "folder/file", bytesOf(1, 10));
      const found = ["no", "folder", "folder/no", "no/file", "folder/file/no"].map((name) => got(replica, name));
      assert.deepEqual(await Promise.all(found), [undefined, undefined, undefined, undefined, undefined]);
    },
  },
  {
    title: "takes every name of its alphabet, and lists it as it is",
    run: async ({ open }: ReplicaPlace): Promise<void> => {
      const replica = open();
      const results = await Promise.all(
        NAMES.map((name, index) => put(replica, `names/${name}`.slice(0, 200), bytesOf(index, index))),
      );
      assert.deepEqual(
        results,
        NAMES.map(() => CREATED),
      );
      const expected = NAMES.map((name, index) => ({ name: `names/${name}`.slice(0, 200), length: index }));
      assert.deepEqual(
        await listed(open(), "names/"),
        expected.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
      );
      for (const { name, length } of expected) assert.deepEqual(await got(open(), name), bytesOf(length, length));
    },
  },
  {
    title: "lists 1,003 objects in pages, each once, with their lengths",
    run: async ({ open }: ReplicaPlace): Promise<void> => {
      const replica = open();
      const numbers = Array.from({ length: 1_003 }, (_, index) => index);
      const object = (index: number): ListedObject => ({
        name: `list/${index % 3}/${String(index).padStart(4, "0")}`,
        length: index % 7,
      });
      await forEach(numbers, async (index) => {
        const { name, length } = object(index);
        assert.deepEqual(await put(replica, name, bytesOf(index, length)), CREATED);
      });
      await put(replica, "list/00/other", bytesOf(0, 3));
      await put(replica, "listed", bytesOf(0, 3));
      const expected = numbers.map(object).toSorted((a, b) => (a.name < b.name ? -1 : 1));
      const beginningWith = (prefix: string): readonly ListedObject[] =>
        expected.filter(({ name }) => name.startsWith(prefix));
      assert.deepEqual(
        (await listed(open(), "list/")).filter(({ name }) => name !== "list/00/other"),
        expected,
      );
      for (const prefix of ["list/0/", "list/1/00", "list/1/1000", "list/2/9", "no"])
        assert.deepEqual(await listed(open(), prefix), beginningWith(prefix), prefix);
    },
  },
  {
    title: "deletes an object, twice, and creates it again",
    run: async ({ open }: ReplicaPlace): Promise<void> => {
      const bytes = bytesOf(4, 300);
      await put(open(), "gone/a", bytes);
      await put(open(), "gone/b", bytes);
      const [one, other] = [open(), open()];
      assert.deepEqual(await one.delete("gone/a", NEVER_CANCELLED), DONE);
      assert.deepEqual(await other.delete("gone/a", NEVER_CANCELLED), DONE);
      assert.deepEqual(await other.delete("never/there", NEVER_CANCELLED), DONE);
      assert.equal(await got(one, "gone/a"), undefined);
      assert.deepEqual(await listed(one, "gone/"), [{ name: "gone/b", length: 300 }]);
      assert.deepEqual(await put(other, "gone/a", bytes), CREATED);
      assert.deepEqual(await got(one, "gone/a"), bytes);
    },
  },
  {
    title: "does nothing that was cancelled before it began",
    run: async ({ open }: ReplicaPlace): Promise<void> => {
      const replica = open();
      const cancel = new AbortController();
      cancel.abort();
      await put(replica, "still/there", bytesOf(1, 9));
      const never = (): void => assert.fail("listed");
      assert.deepEqual(
        [
          await replica.put("cancelled", bytesOf(1, 9), cancel.signal),
          await replica.get("still/there", cancel.signal),
          await replica.list("", never, cancel.signal),
          await replica.delete("still/there", cancel.signal),
        ],
        [CANCELLED_RESULT, CANCELLED_RESULT, CANCELLED_RESULT, CANCELLED_RESULT],
      );
      assert.deepEqual(await got(replica, "still/there"), bytesOf(1, 9));
      assert.equal(await got(replica, "cancelled"), undefined);
    },
  },
  {
    title: "ends at once when it is cancelled in the middle, and can be asked again",
    run: async ({ open }: ReplicaPlace): Promise<void> => {
      const replica = open();
      const bytes = bytesOf(5, 200_000);
      await put(replica, "whole", bytes);
      for (const begin of [
        (signal: AbortSignal) => replica.put("middle", bytes, signal),
        (signal: AbortSignal) => replica.get("whole", signal),
        (signal: AbortSignal) => replica.list("", () => assert.fail("listed"), signal),
      ]) {
        const cancel = new AbortController();
        const result = begin(cancel.signal);
        cancel.abort();
        assert.deepEqual(await result, CANCELLED_RESULT);
      }
      const again = await put(replica, "middle", bytes);
      assert.ok(again.ok, JSON.stringify(again));
      assert.deepEqual(await got(replica, "middle"), bytes);
    },
  },
];
