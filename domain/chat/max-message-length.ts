/** Characters, about 50,000 tokens: a longer chat message would leave little of a context window for the answer. */
export const longestMessage = 200_000;
