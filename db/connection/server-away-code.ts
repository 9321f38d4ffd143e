/**
 * True for the codes (of the system, the driver and SQL) of a connection error; false for those of an error in the request itself.
 * 08: connection; 57P0: shutting down, crashed, starting up; 53300: too many connections.
 */
export function isServerAwayCode(code: string): boolean {
  return /^(ECONN|ENOTFOUND|EAI_|EHOST|ENETUN|EPIPE|ETIMEDOUT|CONNECT|08|57P0|53300)/.test(code);
}
