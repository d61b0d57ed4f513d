import assert from "node:assert/strict";
import { rescueNotice, type RescueResult } from "../../../../src/host/conversations/rescue/rescueFile.ts";

describe("rescueNotice", () => {
  const check = (rescued: Partial<RescueResult>, tone: string, text: string): void => {
    it(text, () => {
      const none = {
        messagesRecovered: 0,
        messagesLost: 0,
        newestLost: 0,
        summariesLost: 0,
        answersInJournal: 0,
        keptAs: "/a/damaged-1.sqlite",
      };
      const notice = rescueNotice({ ...none, ...rescued });
      assert.deepEqual([notice.tone, notice.text], [tone, `${text} The damaged file is kept: /a/damaged-1.sqlite`]);
    });
  };
  check({ messagesRecovered: 8 }, "info", "8 messages were rescued. None is known to be missing.");
  check({ messagesRecovered: 1 }, "info", "1 message was rescued. None is known to be missing.");
  check(
    { messagesRecovered: 7, messagesLost: 1 },
    "warning",
    "7 messages were rescued. 1 message could not be read; its place says so.",
  );
  check(
    { messagesRecovered: 5, messagesLost: 2, newestLost: 3, summariesLost: 1 },
    "warning",
    "5 messages were rescued. 2 messages could not be read; their places say so. The newest 3 messages could not be read. " +
      "1 summary could not be read.",
  );
  check({ messagesLost: 2, newestLost: 6 }, "warning", "None of 8 messages could be read.");
  check(
    { messagesLost: 8, answersInJournal: 1 },
    "warning",
    "None of 8 messages could be read. 1 answer was found apart from the messages; it is at the end.",
  );
  check(
    { messagesRecovered: 2, answersInJournal: 2 },
    "info",
    "2 messages were rescued. None is known to be missing. 2 answers were found apart from the messages; they are at the end.",
  );
  check({}, "warning", "No message could be read.");
});
