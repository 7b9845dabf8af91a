import path from 'node:path';
import { defineConfig } from 'vitest/config';

const assets = path.join(import.meta.dirname, 'assets');
const layers = ['app', 'screens', 'features', 'design', 'api', 'stores', 'lib', 'test'];

export default defineConfig({
  resolve: {
    alias: layers.map((layer) => ({
      find: new RegExp(`^${layer}/`),
      replacement: `${path.join(assets, layer)}/`,
    })),
  },
  css: { modules: { localsConvention: 'camelCaseOnly' } },
  test: {
    environment: 'happy-dom',
    environmentOptions: { happyDOM: { url: 'http://localhost:3000/' } },
    include: ['assets/**/*.test.{ts,tsx}'],
    setupFiles: ['assets/test/setup.ts'],
    pool: 'threads',
    isolate: false, // one DOM per worker; assets/test/setup.ts cleans up after each test
    restoreMocks: true,
    testTimeout: 60_000, // waited for only where a test fails, or the machine does other things too
    hookTimeout: 60_000,
    css: { include: [] },
  },
});
