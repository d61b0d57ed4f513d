/** Edge states: loading, nothing found, read-only, hidden characters and very long words. */
import type { Scene } from "./scenes.ts";
import { answer, notice, status, summary, user, view } from "./viewBuilders.ts";

const rows = [
  user(1, "Why does the third retry never happen?"),
  answer(2, "The budget is spent before the loop starts."),
];
const words = "word and ".repeat(2_000);

export const accessScenes: Readonly<Record<string, Scene>> = {
  opening: { view: view([], { status: status({ title: "", activity: "loading" }) }) },
  emptyBlocked: {
    view: view([], {
      status: status({
        activity: "blocked",
        banner: {
          tone: "error",
          text: "This conversation is damaged. What can be read of it can be rescued; the damaged file is kept.",
          actions: [{ label: "New conversation", command: "newConversation" }],
        },
      }),
    }),
  },
  readOnly: {
    view: view(rows, {
      status: status({
        activity: "readOnly",
        banner: { tone: "info", text: "This conversation was written by a newer Forge.", actions: [] },
      }),
    }),
  },
  summaryLoading: { view: view([summary(1), ...rows]), click: ["[data-summary-id='1'] .summary-line"] },
  thoughts: {
    view: view([rows[0] ?? user(1, ""), answer(2, "Like this.", { thinking: "First the budget.\n\nThen the loop." })]),
    click: [".fold"],
  },
  notices: {
    view: view([
      ...rows,
      notice("Switched to claude-haiku-4-5. All messages fit."),
      notice("The answer cost more than you allow in a day.", {
        tone: "error",
        actions: [{ label: "Open settings", command: "showContext" }],
      }),
    ]),
  },
  longText: { view: view([user(1, words), answer(2, `${words}.\n\n\`\`\`\n${words}\n\`\`\``)]) },
  hiddenText: {
    view: view([
      user(1, "Pay \u202egnp.exe"),
      answer(2, `Tags \u{e0069}\u{e0067}, \u001b[31mred\u001b[0m, e${"\u0301".repeat(60)}, [x](javascript:0)`),
    ]),
  },
};
