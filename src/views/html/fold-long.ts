const LINES = 30;
const CHARACTERS = 6000;

/** What is long shows its beginning, and the rest on request. */
export function foldLong(html: string, text: string): string {
  const lines = countLines(text);
  if (lines <= LINES && text.length <= CHARACTERS) return html;
  const size = lines > LINES ? `${lines.toLocaleString('en')} lines` : `${text.length.toLocaleString('en')} characters`;
  return `<details class="long"><summary>${size}</summary>${html}</details>`;
}

function countLines(text: string): number {
  let count = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < text.length - 1; at = text.indexOf('\n', at + 1)) count++;
  return count;
}
