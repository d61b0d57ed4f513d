import assert from "node:assert/strict";
import type { Frame, Page } from "playwright-core";
import type { ModelServer } from "../servers/protocol.ts";
import type { Fault } from "../servers/script.ts";
import { answer, composer, messages, press, send } from "./support/chat.ts";
import { useModelSession } from "./support/modelSession.ts";
import { picture } from "./support/pictures.ts";
import { expectProblem, noProblem, type ExpectedProblem } from "./support/problem.ts";
import { closePicker, quickInput } from "./support/workbench.ts";

const sentences = Array.from({ length: 20 }, (_, index) => `Sentence ${index + 1} of an answer.`).join(" ");
/** The first five pieces of the answer, 12 characters each. */
const beginning = sentences.slice(0, 5 * 12).trim();
const model = "house-model";

describe("faults", () => {
  let server: ModelServer;
  let page: Page;
  let chat: Frame;
  /** The server's name in the chat. */
  let host = "";

  const models = [{ id: model, contextWindow: 32_000, maxOutput: 8_000 }];
  const session = useModelSession("faults", { "forge.tools.enabled": false }, { models });
  before(async () => {
    server = session.models;
    host = `127.0.0.1:${server.port}`;
    ({ page, chat } = await session.openChat());
  });
  beforeEach(() => session.startAnew({ page, chat }));

  /** Sends a question that fails `times` times with `fault`, and waits until the chat shows exactly `expected`. */
  async function ask(fault: Fault, times: number, expected: ExpectedProblem): Promise<void> {
    server.script({ fault, answer: { text: sentences }, times });
    await send(chat, "What will go wrong?");
    await expectProblem(chat, expected);
    await picture(page, `faults-${fault.kind}${fault.kind === "status" ? `-${fault.status}` : ""}`);
  }

  /** Role, state and text of each message. */
  const transcript = async (): Promise<readonly string[]> =>
    Promise.all(
      (await messages(chat).all()).map(async (row) => {
        const role = /user|assistant/.exec((await row.getAttribute("class")) ?? "")?.[0] ?? "nobody";
        const state = (await row.getAttribute("data-state")) ?? "nothing";
        const words = await row.locator(".typed, .markdown").innerText();
        return `${role} ${state}: ${words.trim()}`;
      }),
    );

  const beforeTheAnswer: readonly {
    readonly title: string;
    readonly fault: Fault;
    /** Number of failing requests: the first one and the automatic retries. */
    readonly times?: number;
    readonly text: (host: string) => string | RegExp;
    readonly buttons: readonly string[];
  }[] = [
    {
      title: "a refused key",
      fault: { kind: "status", status: 401, type: "invalid_api_key", message: "Incorrect API key provided." },
      text: (name) => `${name} refused the key. Nothing is lost. It said: Incorrect API key provided.`,
      buttons: ["Replace key", "Retry"],
    },
    {
      title: "an unknown model",
      fault: { kind: "status", status: 404, type: "model_not_found", message: "The model does not exist." },
      text: (name) => `${name} does not offer the model ${model}. Nothing is lost.`,
      buttons: ["Switch model", "Retry"],
    },
    {
      title: "too many requests",
      fault: {
        kind: "status",
        status: 429,
        type: "rate_limit_exceeded",
        message: "Slow down.",
        headers: { "retry-after": "60" },
      },
      text: (name) =>
        new RegExp(
          `^${name.replaceAll(".", "\\.")} asks to slow down; it can be tried again at [\\d:]{5,8}\\. Nothing is lost\\. It said: Slow down\\.$`,
        ),
      buttons: ["Retry", "Switch model", "Edit"],
    },
    {
      title: "no credit",
      fault: { kind: "status", status: 402, type: "insufficient_credits", message: "Insufficient credits" },
      text: (name) =>
        `${name} reports no credit left for this key. Add credit in your account there, or use another model. Nothing is lost. It said: Insufficient credits`,
      buttons: ["Retry", "Switch model", "Replace key"],
    },
    {
      title: "an overloaded service after automatic retries",
      fault: { kind: "status", status: 529, type: "overloaded_error", message: "Overloaded" },
      times: 3,
      text: (name) => `${name} is overloaded. Nothing is lost.`,
      buttons: ["Retry", "Switch model"],
    },
    {
      title: "an HTML page instead of a stream",
      fault: { kind: "html" },
      text: (name) =>
        `${name} answered with a page instead of a model's stream. Check the address. Nothing is lost. ` +
        "The answer is text/html. Sign in to the network",
      buttons: ["Open settings", "Retry"],
    },
  ];
  for (const { title, fault, times = 1, text, buttons } of beforeTheAnswer) {
    it(`${title}: is reported once, keeps the question, and is answered on Retry`, async () => {
      await ask(fault, times, { text: text(host), buttons });
      assert.deepEqual(await transcript(), ["user complete: What will go wrong?"]);
      assert.equal(server.requests.filter(({ method }) => method === "POST").length, times);

      server.script({ answer: { text: sentences } });
      await press(chat, "Retry");
      assert.equal(await answer(chat), sentences);
      await noProblem(chat);
      assert.equal(await messages(chat).count(), 2);
    });
  }

  const midStream: readonly {
    readonly title: string;
    readonly fault: Fault;
    readonly text: (host: string) => string;
  }[] = [
    {
      title: "an error event in mid-stream",
      fault: { kind: "errorEvent", afterPieces: 5, type: "server_error", message: "The model crashed." },
      text: (name) => `${name} failed. Nothing is lost. It said: The model crashed.`,
    },
    {
      title: "a connection closed in mid-stream",
      fault: { kind: "kill", afterPieces: 5 },
      text: (name) => `The connection to ${name} ended before the answer did. Nothing is lost.`,
    },
  ];
  for (const { title, fault, text } of midStream) {
    it(`${title}: keeps the received text, and offers Continue, Keep and Ask again`, async () => {
      await ask(fault, 1, { text: text(host), buttons: ["Continue", "Keep", "Ask again"] });
      assert.deepEqual(await transcript(), ["user complete: What will go wrong?", `assistant failed: ${beginning}`]);
      await press(chat, "Keep");
      await noProblem(chat);
      assert.deepEqual(await transcript(), [
        "user complete: What will go wrong?",
        `assistant interrupted: ${beginning}`,
      ]);
    });
  }

  it("an empty message: cannot be sent", async () => {
    for (const text of ["", " \n "]) {
      await composer(chat).fill(text);
      await composer(chat).press("Enter");
      assert.equal(await chat.getByRole("button", { name: "Send", exact: true }).getAttribute("aria-disabled"), "true");
    }
    await composer(chat).fill("");
    await send(chat, "This one can.");
    await answer(chat);
    assert.deepEqual(
      (await transcript()).filter((row) => row.startsWith("user")),
      ["user complete: This one can."],
    );
  });

  it("a message of 2 MB: is refused with its size and the budget, and stays in the composer", async () => {
    const large = "word ".repeat(400_000);
    await composer(chat).fill(large);
    await press(chat, "Send");
    await expectProblem(chat, {
      text:
        "This does not fit: it needs 400k tokens, and 23k can be sent to this model " +
        "(this message 400k, instructions 92). " +
        "Your text is kept in the box. Shorten it, or use a model with a larger window.",
      buttons: ["Switch model"],
    });
    await chat.getByRole("button", { name: /\+400k/ }).waitFor();
    await picture(page, "faults-too-large");
    assert.equal((await composer(chat).inputValue()).length, large.length);
    assert.deepEqual(await transcript(), []);
    assert.equal(server.requests.filter(({ method }) => method === "POST").length, 0);
    await composer(chat).fill("");
  });

  it("a stopped server: is reported once, and keeps the question", async () => {
    await server.close();
    await send(chat, "Is anybody there?");
    await expectProblem(chat, {
      text: `${host} cannot be reached. Nothing is lost. Nothing answers at this address and port. (ECONNREFUSED)`,
      buttons: ["Retry", "Switch model", "Open settings"],
    });
    await picture(page, "faults-unreachable");
    assert.deepEqual(await transcript(), ["user complete: Is anybody there?"]);

    await press(chat, "Switch model");
    await quickInput(page).getByText(`${host} cannot be reached.`).waitFor();
    await picture(page, "faults-picker-unreachable");
    await closePicker(page);
  });
});
