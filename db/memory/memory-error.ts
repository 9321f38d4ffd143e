import { type ErrorKind, LonghaulError } from '../../domain/longhaul-error.ts';

const kinds = {
  /** A memory without text would match every question and say nothing. */
  EmptyMemory: 'input',
  /** Memories are shown to models and people. */
  SecretInMemory: 'input',
  /** Memories are to be embedded, but there is no model. */
  NoEmbedder: 'conflict',
  /** A newer Longhaul wrote the table. */
  NewerMemoryTable: 'conflict',
} as const satisfies Record<string, ErrorKind>;

export type MemoryErrorCode = keyof typeof kinds;

export class MemoryError extends LonghaulError<MemoryErrorCode> {
  constructor(code: MemoryErrorCode, message: string) {
    super(message, { code, kind: kinds[code] });
  }
}

export function noEmbedder(): MemoryError {
  return new MemoryError(
    'NoEmbedder',
    'Expected an embedding model. `longhaul setup` downloads the local one; LONGHAUL_MODEL_EMBEDDING selects another.',
  );
}
