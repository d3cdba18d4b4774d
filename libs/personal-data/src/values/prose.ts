/** Tests for a text of several words, also in a script without spaces. */
export function hasWords(text: string): boolean {
  return /\s/.test(text.trim()) || WITHOUT_SPACES.test(text);
}

const WITHOUT_SPACES = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}、。ー]{10}/u;

/** Tests for a text of at least four words, most of which consist of letters. */
export function isProse(text: string): boolean {
  if (WITHOUT_SPACES.test(text)) return true;
  const words = text.trim().split(/\s+/);
  return (
    words.length >= 4 &&
    words.filter((word) => /^[\p{L}][\p{L}'’-]*[.,;:!?)]*$/u.test(word)).length >= words.length * 0.6
  );
}

export function isUrl(text: string): boolean {
  return /^(?:https?:\/\/|\/)\S+$/i.test(text);
}

/** Tests for a URL, the file name of a picture or the bytes of a picture. */
export function isPictureLocation(text: string): boolean {
  return (
    /\.(?:jpe?g|png|gif|bmp|webp|svg|tiff?|heic|avif)(?:[?#].*)?$/i.test(text) ||
    isUrl(text) ||
    /^data:image\//.test(text) ||
    /^\\x(?:ffd8ff|89504e47|47494638|424d|52494646)/i.test(text)
  );
}
