import { isEmail, isWrittenAsPhone } from './contact.js';

/** Four words or more, as people write. */
export function isProse(text: string): boolean {
  const words = text.trim().split(/\s+/);
  return (
    words.length >= 4 &&
    words.filter((word) => /^[\p{L}][\p{L}'’-]*[.,;:!?)]*$/u.test(word)).length >= words.length * 0.6
  );
}

/** Somebody's address or number stands in it. */
export function mentionsSomebody(text: string): boolean {
  const words = text.split(/[\s<>(),;:]+/);
  return (
    words.length > 2 &&
    (words.some((word) => isEmail(word.replace(/[.!?]+$/, ''))) ||
      (text.match(/\+?\d[\d ()-]{7,16}\d/g) ?? []).some(isWrittenAsPhone))
  );
}

export function isUrl(text: string): boolean {
  return /^(?:https?:\/\/|\/)\S+$/i.test(text);
}

export function isPicturePlace(text: string): boolean {
  return (
    /\.(?:jpe?g|png|gif|bmp|webp|svg|tiff?|heic|avif)(?:[?#].*)?$/i.test(text) ||
    isUrl(text) ||
    /^data:image\//.test(text) ||
    /^\\x(?:ffd8ff|89504e47|47494638|424d|52494646)/i.test(text)
  );
}
