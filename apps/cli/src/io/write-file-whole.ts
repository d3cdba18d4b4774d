import { OutputFile } from './output-file.js';

/** Under its name there is the old file or the new one, whole, whatever happens on the way. @throws CliError */
export async function writeFileWhole(file: string, bytes: Uint8Array): Promise<void> {
  const output = await OutputFile.create(file);
  try {
    await output.write(bytes);
    await output.finish();
  } catch (error) {
    await output.discard();
    throw error;
  }
}
