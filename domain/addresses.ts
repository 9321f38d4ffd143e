/** Whether a host, as in a URL, is this machine itself. */
export function isLoopback(hostname: string): boolean {
  return /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\])$/.test(
    hostname.replace(/\.$/, '').toLowerCase(),
  );
}
