import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { nodeIo, platformOf, thisPlatform, type PlatformIo } from "../../../src/adapters/node/platform.ts";
import { skip } from "../../support/skipped.ts";
import { temporaryFolder } from "../../support/storage/storeBuilders.ts";

const gone = (): Promise<string> => Promise.reject(new Error("no such file"));

/** A machine that answers only the questions in `answers`; all others fail. */
function machine(answers: Readonly<Record<string, string>>, livePids: readonly number[] = [42]): PlatformIo {
  const answer = (question: string): Promise<string> =>
    question in answers ? Promise.resolve(answers[question] ?? "") : gone();
  return {
    readText: answer,
    readLink: answer,
    run: (command, args) => answer([command, ...args].join(" ")),
    hostName: () => "name",
    processExists: (pid) => livePids.includes(pid),
  };
}

const stat = (state: string): string =>
  `42 (a) b) ${state} 1 42 42 0 -1 4194304 1 0 0 0 0 0 0 0 20 0 1 0 778899 1000 1 1`;
const PS = "/bin/ps -o state=,lstart= -p 42";
const POWERSHELL =
  "powershell -NoProfile -NonInteractive -Command (Get-Process -Id 42).StartTime.ToUniversalTime().Ticks";
const REG = "reg query HKLM\\SOFTWARE\\Microsoft\\Cryptography /v MachineGuid";
const IOREG = "/usr/sbin/ioreg -rd1 -c IOPlatformExpertDevice";

describe("platformOf", () => {
  const starts: readonly [
    system: NodeJS.Platform,
    answers: Record<string, string>,
    pid: number,
    expected: string | undefined,
  ][] = [
    ["linux", { "/proc/42/stat": stat("S") }, 42, "778899"],
    ["linux", { "/proc/42/stat": stat("Z") }, 42, undefined],
    ["linux", { "/proc/42/stat": stat("S") }, 43, undefined],
    ["linux", {}, 42, ""],
    ["darwin", { [PS]: "S    Tue Nov 18 10:00:01 2025\n" }, 42, "Tue Nov 18 10:00:01 2025"],
    ["darwin", { [PS]: "Z    Tue Nov 18 10:00:01 2025\n" }, 42, undefined],
    ["darwin", {}, 42, ""],
    ["win32", { [POWERSHELL]: "638990000000000000\r\n" }, 42, "638990000000000000"],
    ["win32", {}, 42, ""],
    ["win32", {}, 43, undefined],
  ];
  for (const [system, answers, pid, expected] of starts) {
    it(`reads the start time of process ${pid} on ${system}: ${JSON.stringify(expected)}`, async () => {
      assert.equal(await platformOf(system, machine(answers)).startTime(pid), expected);
    });
  }

  const hosts: readonly [
    name: string,
    system: NodeJS.Platform,
    Record<string, string>,
    Record<string, string>,
    same: boolean,
  ][] = [
    ["two machines", "linux", { "/etc/machine-id": "a" }, { "/etc/machine-id": "b" }, false],
    [
      "a machine-id file at either path",
      "linux",
      { "/etc/machine-id": "a\n" },
      { "/var/lib/dbus/machine-id": "a\n" },
      true,
    ],
    [
      "two containers of one machine",
      "linux",
      { "/etc/machine-id": "a", "/proc/self/ns/pid": "pid:[1]" },
      { "/etc/machine-id": "a", "/proc/self/ns/pid": "pid:[2]" },
      false,
    ],
    ["two Macs", "darwin", { [IOREG]: '"IOPlatformUUID" = "A"' }, { [IOREG]: '"IOPlatformUUID" = "B"' }, false],
    ["two PCs", "win32", { [REG]: "MachineGuid    REG_SZ    a-b" }, { [REG]: "MachineGuid    REG_SZ    a-c" }, false],
    ["machines without an id", "win32", {}, {}, true],
  ];
  for (const [name, system, one, other, same] of hosts) {
    it(`gives ${name} on ${system} ${same ? "the same host id" : "different host ids"}`, async () => {
      const ids = await Promise.all([one, other].map((answers) => platformOf(system, machine(answers)).hostId()));
      assert.equal(ids[0] === ids[1], same);
      assert.match(ids[0] ?? "", /^[0-9a-f]{32}$/);
    });
  }

  it("reads the boot id on Linux and macOS", async () => {
    const linux = machine({ "/proc/sys/kernel/random/boot_id": "b-1\n" });
    const mac = machine({ "/usr/sbin/sysctl -n kern.bootsessionuuid": "B-2\n" });
    assert.equal(await platformOf("linux", linux).bootId(), "b-1");
    assert.equal(await platformOf("darwin", mac).bootId(), "B-2");
    assert.equal(await platformOf("win32", linux).bootId(), "");
  });

  it("runs commands in UTC and the C locale, so that start times do not depend on the time zone", async function () {
    if (process.platform === "win32") skip(this, "the command is one of a POSIX shell");
    const folder = temporaryFolder();
    const command = join(folder.path, "ps");
    writeFileSync(command, '#!/bin/sh\necho "$TZ $LC_ALL"\n', { mode: 0o700 });
    const { TZ: zone } = process.env;
    const answers: string[] = [];
    for (const here of ["Europe/Berlin", "America/New_York"]) {
      process.env["TZ"] = here;
      answers.push(await nodeIo.run(command, []));
    }
    if (zone === undefined) delete process.env["TZ"];
    else process.env["TZ"] = zone;
    folder.remove();
    assert.deepEqual(answers, ["UTC C\n", "UTC C\n"]);
  });

  it("reads a stable start time for this process and none for an unknown one", async () => {
    const platform = thisPlatform();
    assert.ok(await platform.startTime(process.pid));
    assert.equal(await platform.startTime(process.pid), await platform.startTime(process.pid));
    assert.equal(await platform.startTime(4_194_000), undefined);
  });
});
