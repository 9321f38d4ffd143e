import { type StackState, stateFile } from '../../config/stack-record.ts';
import { writeFileAtomically } from '../write-file-atomically.ts';

export function writeStateFile(home: string, state: StackState): void {
  writeFileAtomically(stateFile(home), `${JSON.stringify(state, null, 2)}\n`);
}
