/** How the database of a conversation is named. */

/** The database's name in the conversation's folder. */
export const DATABASE_FILE = "conversation.sqlite";
