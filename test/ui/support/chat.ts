/** What a user does in the chat itself, by the names that people and screen readers know. */

import type { Frame, Locator, Page } from "playwright-core";
import { until } from "../../../scripts/vscode/until.ts";
import { windowTimeoutMs } from "./browser.ts";
import { entries, pick, quickInput, runCommand, statusBarItem, webviewFrame } from "./workbench.ts";

/** The state of a message, as the transcript tells it. */
export type MessageState = "streaming" | "complete" | "interrupted" | "cancelled" | "failed";

const composerSelector = 'textarea[aria-label="Message Forge"]';

/** The usage figure in the status bar; it is there when Forge is active. */
export function usageItem(page: Page): Locator {
  return statusBarItem(page, "forge-chat.forge.forge.usage");
}

/** Opens, by way of the context view, the picker of what can be set for the conversation. */
export async function openConversationMenu(page: Page, chat: Frame): Promise<void> {
  await usageItem(page).click();
  await press(chat, "Model, strategy, tools…");
}

/** Goes back to the conversation where the context view stands in its place. */
export async function leaveContext(chat: Frame): Promise<void> {
  const back = chat.getByRole("button", { name: "Back to the conversation" });
  if (!(await back.isVisible())) return;
  await back.click();
  await back.waitFor({ state: "detached" });
}

/** What the button of the model shows while there is none. */
export const offline = "Offline";
/** Any language model: a server may take a while to name its own, and what is sent before is answered by none. */
const aLanguageModel = new RegExp(`^(?!${offline}$).`);

/**
 * Opens the chat in the side bar, where it is not open already, and waits until a conversation is open in it that `model`
 * answers: {@link offline} where none is set up.
 */
export async function openChat(page: Page, model: string | RegExp = aLanguageModel): Promise<Frame> {
  const chat = await openView(page);
  await modelButton(chat, model).waitFor();
  return chat;
}

/**
 * Opens the chat in the side bar, where it is not open already; no conversation need be open in it. `composer` finds the
 * box in which a message is typed.
 */
export async function openView(page: Page, composer = composerSelector): Promise<Frame> {
  await usageItem(page).waitFor({ timeout: windowTimeoutMs });
  // A session's settings have this click show the view, never hide it: after a reload it may be on its way.
  if ((await page.locator("iframe.webview").count()) === 0) {
    await page.locator('.activitybar [aria-label="Forge"]').first().click();
  }
  return webviewFrame(page, composer);
}

/** The button under the composer that names the model; it has a name when a conversation is open. */
export function modelButton(chat: Frame, model: string | RegExp = /./): Locator {
  return chat.getByRole("button", { name: /Switch model/ }).filter({ hasText: model });
}

/** Waits for the chat that stands in a tab, beside `chat` in the side bar. */
export async function chatInTab(page: Page, chat: Frame): Promise<Frame> {
  const isChat = (frame: Frame): Promise<boolean> =>
    composer(frame)
      .count()
      .then(
        (count) => count > 0,
        () => false, // the frame went away meanwhile
      );
  const tab = await until(async () => {
    for (const frame of page.frames()) if (frame !== chat && (await isChat(frame))) return frame;
    return undefined;
  });
  if (tab === undefined) throw new Error("no tab has a page of its own");
  return tab;
}

/** The box in which a message is typed. */
export function composer(chat: Frame): Locator {
  return chat.locator(composerSelector);
}

/** Types `text` into the composer, sends it, and waits until it stands in the transcript, behind all that was there. */
export async function send(chat: Frame, text: string): Promise<void> {
  const before = await newestQuestion(chat);
  await composer(chat).fill(text);
  await press(chat, "Send");
  const isThere = await until(async () => {
    const newest = await newestQuestion(chat);
    return newest !== undefined && newest !== before ? true : undefined;
  });
  if (isThere === undefined) throw new Error(`it was not sent: ${text.slice(0, 100)}`);
}

/** Tells the newest message of the user from all others; `undefined` where there is none. */
async function newestQuestion(chat: Frame): Promise<string | undefined> {
  const rows = await messages(chat, "user").evaluateAll((found) => found.map((row) => row.dataset["rowId"]));
  return rows.at(-1);
}

/** What shows this text. A screen reader is told some of it, too, and then it stands in the page once more. */
export function seen(chat: Frame, text: string | RegExp, options: { readonly exact?: boolean } = {}): Locator {
  return chat.getByText(text, options).and(chat.locator(":not([data-live], [data-live] *)"));
}

/** Messages of the transcript, oldest first. */
export function messages(chat: Frame, role?: "user" | "assistant", state?: MessageState): Locator {
  const roleSelector = role === undefined ? "" : `.${role}`;
  const stateSelector = state === undefined ? "" : `[data-state="${state}"]`;
  return chat.locator(`[role="log"] [role="article"]${roleSelector}${stateSelector}`);
}

/** Waits until the newest message is an answer that has come to `state`, and returns its text. */
export async function answer(chat: Frame, state: MessageState = "complete"): Promise<string> {
  const ended = messages(chat)
    .last()
    .and(messages(chat, "assistant", state));
  await ended.waitFor();
  await chat.getByRole("button", { name: "Stop", exact: true }).waitFor({ state: "hidden" }); // between two rounds of tools it is there
  await ended.waitFor();
  return textOf(ended);
}

/** Begins another conversation and waits until it is shown, empty, with the keyboard in its composer. */
export async function newConversation(page: Page, chat: Frame): Promise<void> {
  await runCommand(page, "Forge: New Conversation");
  await messages(chat).first().waitFor({ state: "detached" });
  await modelButton(chat).waitFor();
  await hasKeyboard(chat, composer(chat));
}

/** Sees to it that nothing has been said in the conversation that is open. */
export async function beginEmpty(page: Page, chat: Frame): Promise<void> {
  await chat.locator('.empty, [role="log"]').first().waitFor(); // until then it may be on its way, with messages
  if ((await messages(chat).count()) > 0) await newConversation(page, chat);
}

/** Opens the list of all conversations. */
export async function openList(page: Page): Promise<void> {
  await runCommand(page, "Forge: Open Conversation");
  await quickInput(page).getByText("Forge: Conversations", { exact: true }).waitFor();
  await entries(page, "New conversation").waitFor();
}

/** Opens a conversation by its title in the list; what is shown then is for the caller to wait for. */
export async function openExisting(page: Page, title: string): Promise<void> {
  await openList(page);
  await pick(page, title);
}

/** Waits until what is typed goes to `field`: it has the focus of its frame, and the frame that of the window. */
export async function hasKeyboard(chat: Frame, field: Locator): Promise<void> {
  const focused = field.and(chat.locator(":focus"));
  const isThere = await until(async () =>
    (await focused.count()) > 0 && (await chat.evaluate("document.hasFocus()")) === true ? true : undefined,
  );
  if (isThere !== undefined) return;
  const places = await Promise.all([chat.page().mainFrame(), chat].map((frame) => frame.evaluate(focusedPlace)));
  throw new Error(`the keyboard is elsewhere: ${places.join("; in the chat: ")}`);
}

/** Runs in a page. */
const focusedPlace = `(({ tagName, className, ariaLabel }) =>
  [tagName, className, ariaLabel, document.hasFocus() ? "has focus" : "no focus"].join(" "))(document.activeElement)`;

/** Clicks a button of the chat by its whole name: "Stop", "Keep". */
export async function press(chat: Frame, name: string | RegExp): Promise<void> {
  await chat.getByRole("button", { name, exact: true }).last().click();
}

/** Unfolds what the model thought before the newest answer. */
export async function openThoughts(chat: Frame): Promise<void> {
  await press(chat, /^(?:Thoughts$|Thought for )/); // there is no time where it took none
}

/**
 * Waits until the newest answer shows at least `length` characters while it streams, and returns what it shows. The text
 * of code blocks and tables has no fixed form, so answers that are compared this way are plain sentences.
 */
export async function partOfAnswer(chat: Frame, length: number): Promise<string> {
  const newest = messages(chat, "assistant", "streaming").last();
  await newest.waitFor();
  const shown = await until(async () => {
    const text = await textOf(newest);
    return text.length >= length ? text : undefined;
  });
  if (shown === undefined) throw new Error(`the answer did not grow to ${length} characters`);
  return shown;
}

/** The Markdown of a message as it is shown, without the lines around it. */
export async function textOf(message: Locator): Promise<string> {
  return (await message.locator(".markdown").innerText()).trim();
}
