/** File name of the database in a conversation's folder. */
export const DATABASE_FILE = "conversation.sqlite";
