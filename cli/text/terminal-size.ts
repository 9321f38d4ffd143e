/** The size of a terminal: 80 by 24 if it does not say, or says 0, as one does whose size nobody has set. */
export function terminalSize(output: { columns?: number; rows?: number }): { columns: number; rows: number } {
  return { columns: output.columns || 80, rows: output.rows || 24 };
}
