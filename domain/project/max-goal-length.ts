/**
 * Characters, about 25,000 tokens: a model reads the goal in every session and must still have room to plan; well under Temporal's 2 MB limit for one
 * input. A longer goal belongs in a file of the repository.
 */
export const longestGoal = 100_000;
