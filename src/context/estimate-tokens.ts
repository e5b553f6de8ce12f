/**
 * Only the provider can count tokens; these are estimates. About four characters of English or code make one. Thinking counts where it
 * was written and stays: some models drop that of earlier turns, which the log does not say.
 */
export const textTokens = (text: string): number => (isBase64(text) ? IMAGE_TOKENS : Math.ceil(text.length / 4));

/** An image costs by its size on screen, which the log does not say: about one megapixel is taken, as Pi does. */
export const IMAGE_TOKENS = 1200;

/** Of an output that was put into a file the model saw its first 2,000 characters and where the rest is. */
export const PREVIEW_TOKENS = 550;

/** What came back from a tool: a text, or a list of texts and images. */
export function outputTokens(output: unknown): number {
  if (!Array.isArray(output)) return valueTokens(output);
  return output.reduce((sum: number, item) => {
    const text = (item as { type?: unknown; text?: unknown } | null)?.text;
    return sum + (typeof text === 'string' ? textTokens(text) : valueTokens(item));
  }, 0);
}

/** Any JSON value as it would be written; pictures and other base64 count as images, never as text. */
export function valueTokens(value: unknown): number {
  if (typeof value === 'string') return textTokens(value);
  let characters = 0;
  let images = 0;
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next === 'string') {
      if (isBase64(next)) images++;
      else characters += next.length + 2;
    } else if (typeof next === 'object' && next !== null) {
      characters += 2;
      if (Array.isArray(next)) for (const item of next) open.push(item);
      else
        for (const [key, item] of Object.entries(next)) {
          characters += key.length + 4;
          open.push(item);
        }
    } else if (next !== undefined && next !== null) characters += String(next).length;
  }
  return Math.ceil(characters / 4) + images * IMAGE_TOKENS;
}

const SHORTEST = 200;
const UNBROKEN = /^[A-Za-z0-9+/=_-]+$/;
const DATA_URL = /^data:[^,]{0,100};base64,/;

/** Told from its beginning: no text goes on for so long without a space, in small and large letters and digits. */
function isBase64(text: string): boolean {
  if (text.length < SHORTEST) return false;
  const head = text.slice(0, SHORTEST);
  if (head.startsWith('data:')) return DATA_URL.test(head);
  return UNBROKEN.test(head) && /[a-z]/.test(head) && /[A-Z]/.test(head) && /[0-9]/.test(head);
}
