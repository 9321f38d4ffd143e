/** What a person can do where a budget is spent; a project that paused since it was goes on with more of it. */
export function tellOverBudget(id: string): string {
  return `longhaul budget ${id} sets more (--usd, --tokens, --turns or --minutes with a number or none; --per session or run); it goes on then, or with longhaul resume ${id}.`;
}
