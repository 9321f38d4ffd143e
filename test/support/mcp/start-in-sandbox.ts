/** For servers that run elsewhere. */
export async function startInSandbox(): Promise<never> {
  throw new Error('No server of this test runs in a sandbox.');
}
