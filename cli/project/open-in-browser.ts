import { execa } from 'execa';

/** Opens an address in the person's browser if there is a display. */
export async function openInBrowser(url: string, environment: Record<string, string | undefined>): Promise<void> {
  const opener = openerFor(process.platform, environment);
  if (!opener) return;
  // The address was already printed, so a machine without a browser is fine.
  await execa(opener, [url], { reject: false, stdio: 'ignore', timeout: 10_000 });
}

function openerFor(platform: string, environment: Record<string, string | undefined>): string | undefined {
  if (platform === 'darwin') return 'open';
  return environment.DISPLAY || environment.WAYLAND_DISPLAY ? 'xdg-open' : undefined;
}
