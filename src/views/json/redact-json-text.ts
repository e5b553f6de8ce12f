import { jsonText } from './json-text.ts';

/** JSON of which every text was given another form. The names of its fields, and plain words of ours such as `user`, stay. */
export function redactJsonText(json: string, redact: (text: string) => string): string {
  const pieces: string[] = [];
  let done = 0;
  for (let at = json.indexOf('"'); at >= 0; at = json.indexOf('"', done)) {
    const end = endOfText(json, at);
    const text = json.slice(at, end);
    pieces.push(
      json.slice(done, at),
      isField(json, end) || /^"[a-z]*(?:_[a-z]+)*"$/.test(text) ? text : redactText(text, redact),
    );
    done = end;
  }
  pieces.push(json.slice(done));
  return pieces.join('');
}

function endOfText(json: string, at: number): number {
  let end = at + 1;
  while (end < json.length && json[end] !== '"') end += json[end] === '\\' ? 2 : 1;
  return Math.min(end + 1, json.length);
}

function isField(json: string, end: number): boolean {
  let next = end;
  while (json[next] === ' ' || json[next] === '\n') next++;
  return json[next] === ':';
}

function redactText(text: string, redact: (text: string) => string): string {
  const said: string = JSON.parse(text);
  const clean = redact(said);
  return clean === said ? text : jsonText(clean);
}
