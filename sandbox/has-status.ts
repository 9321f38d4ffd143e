/** Whether the container host answered with that HTTP status. */
export function hasStatus(error: unknown, ...statuses: number[]): boolean {
  return statuses.includes((error as { statusCode?: number }).statusCode ?? 0);
}
