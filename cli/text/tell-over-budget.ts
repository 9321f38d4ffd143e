/** What a person can do about a spent budget; raising it also resumes a project that paused because of it. */
export function tellOverBudget(id: string): string {
  return `\`longhaul budget ${id}\` sets more (--usd, --tokens, --turns or --minutes with a number or none; --per session or run); it goes on then, or with \`longhaul resume ${id}\`.`;
}
