import { defineConfig } from 'longhaul/config';
import { createFetchProvider } from './fetch-provider.ts';

// A custom provider beside a built-in one. Copy the three files to ~/.longhaul, or name this one with LONGHAUL_CONFIG.
export default defineConfig({
  providers: [
    createFetchProvider({
      name: 'mine',
      baseUrl: process.env.MINE_URL ?? 'http://127.0.0.1:8000/v1',
      apiKey: process.env.MINE_KEY,
      headers: false,
    }),
  ],
  models: {
    default: 'mine/qwen3-coder',
    planner: ['anthropic/claude-opus-5', 'mine/qwen3-coder'],
  },
});
