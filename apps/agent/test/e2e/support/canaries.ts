/**
 * Creates canary values, which exist only in the source, and searches for them in data that left the agent. The texts
 * consist of letters and digits, so that no escaping can change them.
 */
export class Canaries {
  private readonly texts: string[] = [];

  /** Creates a random text. */
  text(label: string): string {
    const text = `Zq${label}${String(this.texts.length).padStart(3, '0')}Canary${(7919 * (this.texts.length + 11)).toString(36)}Xv`;
    this.texts.push(text);
    return text;
  }

  /** Creates a number of 15 digits. The search looks for it as text and as eight bytes. */
  number(): number {
    const value = 731_905_264_018_000 + this.texts.length;
    this.texts.push(String(value));
    return value;
  }

  all(): readonly string[] {
    return this.texts;
  }

  /**
   * Returns the canaries that occur in `haystack` as plain text, hex, base64 at any alignment, UTF-16,
   * reversed text, or the bytes of a number.
   */
  findIn(haystack: Buffer): readonly string[] {
    return this.texts.filter((text) => forms(text).some((form) => haystack.includes(form)));
  }
}

function forms(text: string): readonly Buffer[] {
  const plain = Buffer.from(text);
  const found = [
    plain,
    Buffer.from(text, 'utf16le'),
    Buffer.from(plain.toString('hex')),
    Buffer.from([...text].reverse().join('')),
  ];
  for (const lead of [0, 1, 2]) {
    // If other bytes surround the canary, only the first and last characters of its base64 text can change.
    const encoded = Buffer.concat([Buffer.alloc(lead), plain])
      .toString('base64')
      .replace(/=+$/, '');
    found.push(Buffer.from(encoded.slice(lead === 0 ? 0 : lead + 1, -1)));
  }
  if (/^\d+$/.test(text)) {
    const bytes = Buffer.alloc(8);
    bytes.writeBigInt64LE(BigInt(text));
    found.push(bytes, Buffer.from(bytes).reverse());
  }
  return found;
}
