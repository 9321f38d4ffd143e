/**
 * Characters, about 25,000 tokens: a goal is read by a model at each session, which still has room to plan, and is well under Temporal's
 * 2 MB for one input. A longer one belongs into a file of the repository.
 */
export const longestGoal = 100_000;
