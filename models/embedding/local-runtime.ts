import { createRequire } from 'node:module';

/** How to install it: without this variable its installation fetches GPU parts, and fails where it cannot. */
const installation = 'ONNXRUNTIME_NODE_INSTALL=skip npm install onnxruntime-node';

/** Whether the runtime of the local embedding model is installed, as seen from a module; npm leaves it out where its installation fails. */
export function hasLocalRuntime(from = import.meta.url): boolean {
  try {
    createRequire(from).resolve('onnxruntime-node');
    return true;
  } catch {
    return false;
  }
}

/** The rest of a sentence that says why memories have no vectors. */
export const localRuntimeMissing = `the runtime of the local embedding model is not installed. Run \`${installation}\` in the folder where Longhaul is installed, or select another model with LONGHAUL_MODEL_EMBEDDING.`;
