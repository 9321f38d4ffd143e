/** Labels of a request as headers, for a gateway's logs and for the scripted model. */
export function labelHeaders(labels: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(labels).map(([name, value]) => [`X-Longhaul-${name}`, encodeURIComponent(value)]),
  );
}
