import { defineConfig } from 'vite';

/** The server's half: one file per program, packages stay in node_modules. */
export default defineConfig({
  build: {
    ssr: true,
    target: 'node20',
    outDir: 'dist/server',
    emptyOutDir: true,
    rolldownOptions: { input: { main: 'src/main.ts', reprice: 'src/reprice.ts' } },
  },
});
