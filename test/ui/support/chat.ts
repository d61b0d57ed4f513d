/** User actions in the chat, by accessible names. */

import type { Frame, Locator, Page } from "playwright-core";
import { until } from "../../../scripts/vscode/until.ts";
import { windowTimeoutMs } from "./browser.ts";
import { entries, pick, quickInput, runCommand, statusBarItem, webviewFrame } from "./workbench.ts";

/** The `data-state` of a message. */
export type MessageState = "streaming" | "complete" | "interrupted" | "cancelled" | "failed";

const composerSelector = 'textarea[aria-label="Message Forge"]';

/** The usage figure in the status bar, shown when Forge is active. */
export function usageItem(page: Page): Locator {
  return statusBarItem(page, "forge-chat.forge.forge.usage");
}

/** Opens the picker of the conversation's settings through the context view. */
export async function openConversationMenu(page: Page, chat: Frame): Promise<void> {
  await usageItem(page).click();
  await press(chat, "Model, strategy, tools…");
}

/** Closes the context view if it is open. */
export async function leaveContext(chat: Frame): Promise<void> {
  const back = chat.getByRole("button", { name: "Back to the conversation" });
  if (!(await back.isVisible())) return;
  await back.click();
  await back.waitFor({ state: "detached" });
}

/** Text of the model button while no model is connected. */
export const offline = "Offline";
/** Any model but {@link offline}: a server takes a while to name its models, and earlier messages are answered offline. */
const aLanguageModel = new RegExp(`^(?!${offline}$).`);

/** Opens the chat in the side bar, and waits for an open conversation with `model`, or {@link offline} without one. */
export async function openChat(page: Page, model: string | RegExp = aLanguageModel): Promise<Frame> {
  const chat = await openView(page);
  await modelButton(chat, model).waitFor();
  return chat;
}

/** Opens the chat in the side bar, without waiting for a conversation. `composer` is the selector of its text field. */
export async function openView(page: Page, composer = composerSelector): Promise<Frame> {
  await usageItem(page).waitFor({ timeout: windowTimeoutMs });
  // The session's settings make this click show the view, never hide it: after a reload it may just be opening.
  if ((await page.locator("iframe.webview").count()) === 0) {
    await page.locator('.activitybar [aria-label="Forge"]').first().click();
  }
  return webviewFrame(page, composer);
}

/** Makes the side bar 260 px wide, or as wide as is said, by its edge. */
export async function narrowSideBar(page: Page, widthPx = 260): Promise<void> {
  const isNarrow = await until(async () => {
    const bar = await page.locator(".part.sidebar").boundingBox();
    if (bar === null) return undefined;
    if (Math.abs(bar.width - widthPx) <= 2) return true;
    await page.mouse.move(bar.x + bar.width, bar.y + bar.height / 2);
    await page.mouse.down();
    await page.mouse.move(bar.x + widthPx, bar.y + bar.height / 2, { steps: 4 });
    await page.mouse.up();
    return undefined;
  });
  if (isNarrow === undefined) throw new Error("the side bar stays as wide as it is");
}

/** The button with the model's name, which it shows once a conversation is open. */
export function modelButton(chat: Frame, model: string | RegExp = /./): Locator {
  return chat.getByRole("button", { name: /: .*Switch model/ }).filter({ hasText: model }); // a banner may offer it, too
}

/** Waits for the chat in an editor tab, beside `chat` in the side bar. */
export async function chatInTab(page: Page, chat: Frame): Promise<Frame> {
  const isChat = (frame: Frame): Promise<boolean> =>
    composer(frame)
      .count()
      .then(
        (count) => count > 0,
        () => false, // the frame was removed
      );
  const tab = await until(async () => {
    for (const frame of page.frames()) if (frame !== chat && (await isChat(frame))) return frame;
    return undefined;
  });
  if (tab === undefined) throw new Error("no tab has a page of its own");
  return tab;
}

export function composer(chat: Frame): Locator {
  return chat.locator(composerSelector);
}

/** Sends `text`, and waits until it is the newest message of the user in the transcript. */
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

/** Row id of the user's newest message. */
async function newestQuestion(chat: Frame): Promise<string | undefined> {
  const rows = await messages(chat, "user").evaluateAll((found) => found.map((row) => row.dataset["rowId"]));
  return rows.at(-1);
}

/** The element with this text, without its copy for screen readers. */
export function seen(chat: Frame, text: string | RegExp, options: { readonly exact?: boolean } = {}): Locator {
  return chat.getByText(text, options).and(chat.locator(":not([data-live], [data-live] *)"));
}

/** Messages of the transcript, oldest first. */
export function messages(chat: Frame, role?: "user" | "assistant", state?: MessageState): Locator {
  const roleSelector = role === undefined ? "" : `.${role}`;
  const stateSelector = state === undefined ? "" : `[data-state="${state}"]`;
  return chat.locator(`[role="log"] [role="article"]${roleSelector}${stateSelector}`);
}

/** Waits until the newest message is an answer in `state`, and returns its text. */
export async function answer(chat: Frame, state: MessageState = "complete"): Promise<string> {
  const ended = messages(chat)
    .last()
    .and(messages(chat, "assistant", state));
  await ended.waitFor();
  await chat.getByRole("button", { name: "Stop", exact: true }).waitFor({ state: "hidden" }); // between tool rounds
  await ended.waitFor();
  return textOf(ended);
}

/** Begins a conversation, and waits until it is shown empty with the focus in its composer. */
export async function newConversation(page: Page, chat: Frame): Promise<void> {
  await runCommand(page, "Forge: New Conversation");
  await messages(chat).first().waitFor({ state: "detached" });
  await modelButton(chat).waitFor();
  await hasKeyboard(chat, composer(chat));
}

/** Begins a conversation unless the open one is empty. */
export async function beginEmpty(page: Page, chat: Frame): Promise<void> {
  await chat.locator('.empty, [role="log"]').first().waitFor(); // before, its messages may still be loading
  if ((await messages(chat).count()) > 0) await newConversation(page, chat);
}

export async function openList(page: Page): Promise<void> {
  await runCommand(page, "Forge: Open Conversation");
  await quickInput(page).getByText("Forge: Conversations", { exact: true }).waitFor();
  await entries(page, "New conversation").waitFor();
}

/** Opens a conversation by its title in the list, without waiting for its messages. */
export async function openExisting(page: Page, title: string): Promise<void> {
  await openList(page);
  await pick(page, title);
}

/** Waits until `field` has the focus of its frame, and the frame that of the window. */
export async function hasKeyboard(chat: Frame, field: Locator): Promise<void> {
  const focused = field.and(chat.locator(":focus"));
  const isThere = await until(async () =>
    (await focused.count()) > 0 && (await chat.evaluate("document.hasFocus()")) === true ? true : undefined,
  );
  if (isThere !== undefined) return;
  const places = await Promise.all([chat.page().mainFrame(), chat].map((frame) => frame.evaluate(focusedPlace)));
  throw new Error(`the keyboard is elsewhere: ${places.join("; in the chat: ")}`);
}

/** Expression for a page: the focused element. */
const focusedPlace = `(({ tagName, className, ariaLabel }) =>
  [tagName, className, ariaLabel, document.hasFocus() ? "has focus" : "no focus"].join(" "))(document.activeElement)`;

/** Clicks a button of the chat by its full name: "Stop", "Keep". */
export async function press(chat: Frame, name: string | RegExp): Promise<void> {
  await chat.getByRole("button", { name, exact: true }).last().click();
}

/** Unfolds the thinking of the newest answer. */
export async function openThoughts(chat: Frame): Promise<void> {
  await press(chat, /^(?:Thoughts$|Thought for )/); // no time is shown if it took none
}

/**
 * Waits until the streaming answer shows at least `length` characters, and returns its text. Only for plain sentences:
 * the text of code blocks and tables has no fixed form.
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

/** The rendered text of a message's Markdown, trimmed. */
export async function textOf(message: Locator): Promise<string> {
  return (await message.locator(".markdown").innerText()).trim();
}
