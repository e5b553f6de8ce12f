import { createHash, type Hash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { documentsOf } from '../../search/index.ts';
import { DOC_SPAN } from '../index-store.ts';
import { readVolume } from './cached-volume.ts';

/** The text of every message, whatever volumes it is kept in. */
export function addTextDigest(db: DatabaseSync, hash: Hash): void {
  const texts: { id: bigint; text: string }[] = [];
  for (const { num } of db.prepare('select num from volumes').all() as { num: number }[]) {
    const volume = readVolume(db, num);
    documentsOf(volume).forEach(({ terms, neighbours }, doc) => {
      if (volume.dead.has(doc)) return;
      const facts = [volume.times[doc], volume.lengths[doc], volume.types[doc], ...terms];
      texts.push({
        id: volume.ids[doc] as bigint,
        text: createHash('sha1').update(facts.join('\n')).update(neighbours).digest('hex'),
      });
    });
  }
  texts.sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : a.text < b.text ? -1 : 1));
  for (const { id, text } of texts) hash.update(`${id} ${text}\n`);
  // Every message that can be seen has a text that lives.
  const lost = db
    .prepare(`select count(*) as count from messages where hidden = 0
      and (doc is null or doc in (select doc from dead_docs) or doc / ${DOC_SPAN} not in (select num from volumes))`)
    .get() as { count: number };
  hash.update(`without text: ${lost.count}`);
}
