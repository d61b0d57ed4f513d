/** Choice of the terminal for an approved command; terminals of the user are never touched. */

import assert from "node:assert/strict";
import type { CommandRequest } from "../../../../src/host/tools/command/commandRun.ts";
import { beginAnew, type FakeTerminal, terminals, withTerminals } from "../../../support/editor/fakeTerminals.ts";
import { whenTrue } from "../../../support/whenTrue.ts";

const { CommandTerminals } = await withTerminals(
  () => import("../../../../src/host/tools/command/commandTerminals.ts"),
);

const NEVER = new AbortController().signal;
const ENDED = { kind: "ended", exitCode: 0 };

const request = (command: string, limitMs = 5_000): CommandRequest => ({
  command,
  folder: "/work",
  limitMs,
  output: () => undefined,
});
const seen = (): readonly object[] =>
  terminals.map(({ ran, typedIntoUsers, isDisposed }) => ({ ran, typedIntoUsers, isDisposed }));
const untouched = { typedIntoUsers: [], isDisposed: false };
const first = (): FakeTerminal => {
  const [terminal] = terminals;
  assert.ok(terminal);
  return terminal;
};

describe("command terminals", () => {
  let commands: InstanceType<typeof CommandTerminals>;
  const open = (atPrompt: () => boolean | undefined = () => undefined): void => {
    commands = new CommandTerminals(() => Promise.resolve(atPrompt()));
  };
  afterEach(() => {
    commands.dispose();
  });

  it("are reused while the user runs nothing in them", async () => {
    beginAnew();
    open(() => first().isAtPrompt);
    for (const command of ["ls", "pwd"]) assert.deepEqual(await commands.run(request(command), NEVER), ENDED);
    assert.deepEqual(seen(), [{ ran: ["ls", "pwd"], ...untouched }]);
  });

  it("are neither typed into nor closed once the user has run something in them", async () => {
    beginAnew();
    open();
    await commands.run(request("ls"), NEVER);
    first().runOfUser("ssh production");
    assert.deepEqual(await commands.run(request("rm -rf build", 200), NEVER), ENDED);
    commands.dispose();
    assert.deepEqual(seen()[0], { ran: ["ls"], ...untouched });
    assert.deepEqual(terminals[1]?.ran, ["rm -rf build"]);
  });

  it("are not used while a process runs in them that the editor did not report", async () => {
    beginAnew();
    open(() => first().isAtPrompt);
    await commands.run(request("ls"), NEVER);
    first().runOfUser("psql", false);
    assert.deepEqual(await commands.run(request("rm -rf build", 200), NEVER), ENDED);
    assert.deepEqual(seen(), [
      { ran: ["ls"], ...untouched },
      { ran: ["rm -rf build"], ...untouched },
    ]);
  });

  it("are not used when the user starts a command during the check for a prompt", async () => {
    beginAnew();
    open(() => {
      if (terminals.length === 1 && first().isAtPrompt) first().runOfUser("vim");
      return true;
    });
    for (const command of ["ls", "pwd"]) await commands.run(request(command, 200), NEVER);
    assert.deepEqual(seen(), [
      { ran: ["ls"], ...untouched },
      { ran: ["pwd"], ...untouched },
    ]);
  });

  it("run one command at a time each when two start at once", async () => {
    beginAnew();
    open();
    await commands.run(request("ls"), NEVER);
    await Promise.all(["pwd", "id"].map((command) => commands.run(request(command), NEVER)));
    assert.deepEqual(seen(), [
      { ran: ["ls", "pwd"], ...untouched },
      { ran: ["id"], ...untouched },
    ]);
  });

  it("get no Ctrl+C and stay open when the user runs something after the command has ended", async () => {
    const neverRead = async function* (): AsyncIterable<string> {
      yield await new Promise<string>(() => undefined);
    };
    beginAnew({ output: neverRead });
    open();
    const controller = new AbortController();
    const running = commands.run(request("ls"), controller.signal);
    await whenTrue(() => terminals[0]?.ran.length === 1 && first().isAtPrompt);
    await new Promise((resolve) => setTimeout(resolve, 50));
    first().runOfUser("ssh production");
    controller.abort();
    await running;
    await commands.run(request("pwd"), NEVER);
    commands.dispose();
    assert.deepEqual(seen(), [
      { ran: ["ls"], ...untouched },
      { ran: ["pwd"], typedIntoUsers: [], isDisposed: true },
    ]);
  }).timeout(10_000);

  it("stay open when the command ended on Ctrl+C but its output stream did not", async () => {
    const neverRead = async function* (): AsyncIterable<string> {
      yield await new Promise<string>(() => undefined);
    };
    beginAnew({ output: neverRead });
    open();
    assert.deepEqual(await commands.run(request("sleep 60", 100), NEVER), { kind: "timedOut" });
    assert.deepEqual(seen(), [{ ran: ["sleep 60"], ...untouched }]);
  }).timeout(10_000);

  it("stay open when the user typed in them and their shell never connected to the editor", async () => {
    for (const isInteractedWith of [true, false]) {
      beginAnew({ hasIntegration: false });
      open();
      const controller = new AbortController();
      const running = commands.run(request("ls"), controller.signal);
      await whenTrue(() => terminals.length === 1);
      first().state.isInteractedWith = isInteractedWith;
      controller.abort();
      assert.deepEqual(await running, { kind: "cancelled" });
      assert.deepEqual(seen(), [{ ran: [], typedIntoUsers: [], isDisposed: !isInteractedWith }]);
    }
  });
});
