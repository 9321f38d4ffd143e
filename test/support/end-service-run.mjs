import { endServiceRun } from './begin-service-run.mjs';
import endRun from './end-run.mjs';

export default async function endService() {
  await endServiceRun();
  await endRun();
}
