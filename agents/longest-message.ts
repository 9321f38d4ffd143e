/** Characters of one message of a chat; some 50,000 tokens, beyond which a window has little room for an answer. */
export const longestMessage = 200_000;
