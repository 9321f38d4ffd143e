import { rm } from 'node:fs/promises';

export default async function endRun() {
  await rm(process.env.LONGHAUL_TEST_RUN ?? '', { recursive: true, force: true });
}
