/** What a command tells when it has asked the user something in a picker or a dialog. */

/** Where the keyboard goes after the questions of a command. */
export interface Asking {
  /**
   * To be called as soon as the last question is answered or turned away: the keyboard goes back to the chat where the command
   * was asked for there. Not between two questions, as the second would lose it, and not after work, when it may be elsewhere.
   */
  readonly answered: () => void;
}
