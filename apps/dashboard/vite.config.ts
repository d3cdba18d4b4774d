import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defaultClientConditions, defineConfig, type Plugin } from 'vite';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';

/**
 * Builds static files that work below any path prefix: each chunk addresses its dependencies relative to itself, and the
 * control plane writes the prefix into index.html. Nothing is inlined, because the content security policy forbids it.
 */
export default defineConfig({
  root: import.meta.dirname,
  base: './',
  plugins: [react(), tailwindcss(), lazyTransliteration(), compressFiles()],
  resolve: { conditions: ['@understudy/source', ...defaultClientConditions] },
  build: {
    outDir: 'dist/site',
    emptyOutDir: true,
    manifest: true,
    license: { fileName: 'licenses.md' },
    target: 'es2022',
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  worker: { format: 'es', plugins: () => [lazyTransliteration()] },
});

/** Replaces any-ascii by a module that loads it when a text first needs its tables, which are larger than the engine. */
function lazyTransliteration(): Plugin {
  const lazy = join(import.meta.dirname, 'src/engine/worker/transliteration.ts');
  return {
    name: 'lazy-transliteration',
    enforce: 'pre',
    resolveId: (source, importer) => (source === 'any-ascii' && importer !== lazy ? lazy : undefined),
  };
}

/** Writes each script and style sheet also as `.br` and `.gz`. The control plane sends these files as they are. */
function compressFiles(): Plugin {
  let folder = '';
  return {
    name: 'compress-files',
    apply: 'build',
    configResolved: ({ root, build }) => void (folder = join(root, build.outDir)),
    closeBundle() {
      for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
        if (!/\.(css|js|svg)$/.test(name)) continue;
        const content = readFileSync(join(folder, name));
        writeFileSync(join(folder, `${name}.br`), brotliCompressSync(content));
        writeFileSync(join(folder, `${name}.gz`), gzipSync(content, { level: 9 }));
      }
    },
  };
}
