import { defaultLimits, gibibyte } from '../../sandbox/limits.ts';

/** What became of work that used too much memory, as part of a sentence. */
export const ranOutOfMemory = `ran out of memory, of which the sandbox has ${defaultLimits.memoryBytes / gibibyte} GB`;
