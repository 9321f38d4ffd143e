/** Whether the container host answered with one of these HTTP statuses. */
export function hasStatus(error: unknown, ...statuses: number[]): boolean {
  return statuses.includes((error as { statusCode?: number }).statusCode ?? 0);
}
