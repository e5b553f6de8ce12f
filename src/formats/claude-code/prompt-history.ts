/**
 * The session a line of `history.jsonl` belongs to; null when it does not say.
 *
 *     {"display":"fix the test","pastedContents":{},"timestamp":1762077600000,"project":"/home/me/app","sessionId":"29ccd257-…"}
 */
export function sessionOfPrompt(line: string): string | null {
  try {
    const { sessionId } = JSON.parse(line) as { sessionId?: unknown };
    return typeof sessionId === 'string' ? sessionId : null;
  } catch {
    return null;
  }
}
