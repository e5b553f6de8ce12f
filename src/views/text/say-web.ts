import { contentText } from './content-text.ts';
import { type Fields, fieldsOf, listOf, numberOf, textOf } from './json-values.ts';
import { countOf, shortValue, withBody } from './shorten.ts';

/** `HTTP 200 https://example.org (4096 bytes)` */
export function sayFetched({ code, url, bytes, result }: Fields, verbose: boolean): string {
  const status = numberOf(code);
  const size = numberOf(bytes);
  const parts = [
    status === null ? 'HTTP' : `HTTP ${status}`,
    shortValue(textOf(url) ?? ''),
    size === null ? '' : `(${countOf(size, 'byte')})`,
  ];
  return withBody(parts.filter((part) => part !== '').join(' '), result, verbose);
}

/** Results are what the search found, in lists, and what was said about it. */
export function saySearched({ query, results }: Fields, verbose: boolean): string {
  const found = listOf(results).flatMap((item) => {
    const list = fieldsOf(item)?.content;
    return Array.isArray(list) ? list.map(sayHit) : [contentText(item)];
  });
  return withBody(`Searched for "${shortValue(query)}"`, found.join('\n'), verbose);
}

function sayHit(hit: unknown): string {
  const { title, url } = fieldsOf(hit) ?? {};
  return [title, url].flatMap((text) => textOf(text) ?? []).join(' · ') || contentText(hit);
}
