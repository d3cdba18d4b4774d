// Builds the built-in models and docs/reference/models.md: `npm run models:build`. The same sources give the same
// bytes. With `--check` it writes nothing and fails if a file differs from what the sources give.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { buildAssets } from './recipe/build-assets.mjs';
import { samplesPage } from './recipe/samples-page.mjs';

const ROOT = join(import.meta.dirname, '..');
const ASSETS = join(ROOT, 'libs/builtin-models/assets');
const PAGE = join(ROOT, 'docs/reference/models.md');
const isCheck = process.argv.includes('--check');

const assets = buildAssets();
const made = new Map([...assets.files].map(([path, bytes]) => [join(ASSETS, path), bytes]));
made.set(PAGE, Buffer.from(samplesPage(assets, PAGE)));

for (const [file, bytes] of made) {
  if (existsSync(file) && readFileSync(file).equals(bytes)) continue;
  if (isCheck) throw new Error(`${file} differs from what its sources give; run: npm run models:build`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, bytes);
}
for (const path of readdirSync(ASSETS, { recursive: true, encoding: 'utf8' })) {
  const file = join(ASSETS, path);
  if (!path.includes('.') || made.has(file)) continue;
  if (isCheck) throw new Error(`${file} has no source; run: npm run models:build`);
  rmSync(file);
}

for (const extension of ['.ngram', '.list.json', '.composition.json']) {
  const files = [...assets.files].filter(([path]) => path.endsWith(extension));
  const size = files.reduce((sum, [, bytes]) => sum + bytes.length, 0);
  console.log(`${files.length} files *${extension}, ${size} bytes`);
}
