import { expect, test } from 'vitest';
import type { Note, NotesStore } from '../../src/stores/notes-store.ts';

/** A place where notes are kept: opened again it holds what was written. */
export interface NotesPlace {
  open(): Promise<NotesStore>;
}

export const note = (more: Partial<Note> = {}): Note => ({
  sort: 'label',
  agent: 'claude-code',
  session: 's1',
  record: 'r1',
  text: 'checkpoint',
  time: 1,
  ...more,
});

const about = (store: NotesStore, ...sessions: string[]) => store.about({ agent: 'claude-code', sessions });

/** What every store of notes does. */
export function testNotes(makePlace: () => NotesPlace): void {
  test.each([
    ['a label', note()],
    ['a star', note({ sort: 'star', text: '1' })],
    ['a note about a session', note({ sort: 'note', record: null, text: 'line\nline \u{1f600} \0' })],
  ])('M7 gives back %s, also when it is opened again', async (_name, written) => {
    const place = makePlace();
    const first = await place.open();
    await first.set(written);
    await first.close();
    const again = await place.open();
    expect(await about(again, 's1')).toEqual([written]);
    await again.close();
  });

  test('J5 a label is set, changed and taken away; what is of another sort or record stays', async () => {
    const store = await makePlace().open();
    const star = note({ sort: 'star', text: '1', time: 2 });
    const other = note({ record: 'r2', time: 3 });
    for (const each of [note(), star, other, note({ text: 'changed', time: 4 })]) await store.set(each);
    expect(await about(store, 's1')).toEqual([star, other, note({ text: 'changed', time: 4 })]);
    await store.set(note({ text: '', time: 5 }));
    expect(await about(store, 's1')).toEqual([star, other]);
    expect(await store.totals()).toEqual({ labels: 1, stars: 1, notes: 0, settings: 0 });
    await store.close();
  });

  test('J16 a session is found under each of its ids, and under no other agent', async () => {
    const store = await makePlace().open();
    await store.set(note({ session: 's2', time: 2 }));
    await store.set(note({ session: 's1', time: 1 }));
    expect((await about(store, 's1', 's2')).map(({ session }) => session)).toEqual(['s1', 's2']);
    expect(await store.about({ agent: 'pi', sessions: ['s1'] })).toEqual([]);
    expect(await store.sessions()).toEqual([
      { agent: 'claude-code', session: 's1' },
      { agent: 'claude-code', session: 's2' },
    ]);
    await store.close();
  });

  test('M7 settings are set, changed and taken away', async () => {
    const store = await makePlace().open();
    await store.setSetting('a', '1');
    await store.setSetting('b', '2');
    await store.setSetting('a', '3');
    await store.setSetting('b', null);
    expect(await store.settings()).toEqual(new Map([['a', '3']]));
    await store.close();
  });

  test('M8 forgets what is noted about a session, and nothing else', async () => {
    const store = await makePlace().open();
    await store.set(note());
    await store.set(note({ sort: 'note', record: null }));
    await store.set(note({ session: 's2' }));
    await store.set(note({ agent: 'pi' }));
    await store.setSetting('a', '1');
    expect(await store.forget([{ agent: 'claude-code', sessions: ['s1', 'x'] }])).toBe(2);
    expect(await store.forget([{ agent: 'claude-code', sessions: ['s1'] }])).toBe(0);
    expect(await store.sessions()).toHaveLength(2);
    expect((await store.settings()).size).toBe(1);
    await store.close();
  });
}
